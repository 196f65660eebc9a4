import { type Draft, limits, type PutDraftRequest } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { parseSealed } from '../../../core/sealed-value.ts';
import { writeLocked } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import { type DraftOwner, deleteDraft, draftOf, draftsOf, putDraft } from './store.ts';
import type { DraftColumns } from './tables.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

type Deps = Pick<Core, 'clock' | 'database'>;

/**
 * What a person, or somebody of the staff of a company, has begun to write on one device, to go on with it on another. It is sealed on the
 * device: the platform knows a name that the device chose, and nothing of what is in it.
 */
export class Drafts {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The latest first. */
  async list(owner: DraftOwner): Promise<Draft[]> {
    return (await draftsOf(this.#deps.database.reader, owner, this.#deps.clock.now())).map(toDraft);
  }

  /** @throws {PlatformError} people.draft_not_found */
  async get(owner: DraftOwner, name: string): Promise<Draft> {
    const row = await draftOf(this.#deps.database.reader, owner, name);
    if (row === undefined || row.expires_at <= this.#deps.clock.now())
      throw new PlatformError('people.draft_not_found');
    return toDraft(row);
  }

  /**
   * Stores a draft in the place of the one of this name.
   * @throws {PlatformError} contact_data.encryption_required, contact_data.wrapper_invalid, contact_data.value_too_large
   */
  async put(owner: DraftOwner, name: string, request: PutDraftRequest): Promise<void> {
    const value = parseSealed(request.value);
    const now = this.#deps.clock.now();
    const draft = { name, value, updated_at: now, expires_at: now + limits.draftDays * DAY_MS };
    const [table, id] =
      owner.table === 'person_drafts'
        ? (['persons', owner.key.person_id] as const)
        : (['companies', owner.key.company_id] as const);
    // Two devices that store drafts at the same time must not both see room for one more.
    await writeLocked(this.#deps.database, table, id, (writer) =>
      putDraft(writer, owner, draft, limits.draftsMost),
    );
  }

  /** Deleting one that is not there changes nothing. */
  async delete(owner: DraftOwner, name: string): Promise<void> {
    await this.#deps.database.write((writer) => deleteDraft(writer, owner, name));
  }
}

const toDraft = ({ name, value, updated_at, expires_at }: DraftColumns): Draft => ({
  name,
  value,
  updated_at: isoTime(updated_at),
  expires_at: isoTime(expires_at),
});
