import type { ProofRequest } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { lock, type Writer } from '../../../db/database.ts';
import type { PersonSignals } from '../../../events/person-signals.ts';
import type { Replication } from '../../../events/replication.ts';
import type { Notices } from '../../accounts/index.ts';
import { type AccountPresence, proofOf } from '../../accounts/index.ts';
import type { Core } from '../../domain.ts';
import type { PersonRow } from '../people/tables.ts';
import { accountDeleted } from './mails.ts';
import { deleteFactors, endPerson, endReplica, insertDeleted, insertDeletion } from './store.ts';

/** Wakes the workers that delete. */
export const DELETIONS_CHANNEL = 'symbolon_person_deletions';

/** What a proof of presence for deleting the account is made for. */
export const DELETION_ACT = 'DELETE /api/person';

interface Deps extends Pick<Core, 'clock' | 'database'> {
  readonly personPresence: AccountPresence<PersonRow>;
  readonly notices: Notices;
  readonly personSignals: PersonSignals;
  readonly replication: Replication;
}

/**
 * A person deletes the account. One transaction at home ends the account: the person cannot sign in any more, and the address
 * is free here. Workers of all regions do the rest, see `DeletionWorker`.
 */
export class PersonDeletion {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws {PlatformError} those of `AccountPresence.prove` */
  async delete(personId: string, proof: ProofRequest, source: string): Promise<void> {
    const { database, notices, personPresence, personSignals, replication } = this.#deps;
    const ref = { kind: 'person', personId } as const;
    const { account: person } = await personPresence.prove(ref, DELETION_ACT, proofOf(proof), source);
    await database.write(async (writer) => {
      await lock(database.engine, writer, 'persons', [personId]);
      // Another request changed the password, or deleted the account, after this one was checked.
      if (!(await endPerson(writer, person, this.#deps.clock.now())))
        throw new PlatformError('auth.credentials_invalid');
      await deleteFactors(writer, personId);
      await this.#note(writer, personId, person.email);
      await replication.personDeleted(writer, personId);
    });
    personSignals.tell(personId, { kind: 'session_changed', id: personId });
    await notices.send(accountDeleted(person.email));
  }

  /** A person of another region was deleted at home. */
  async deletedElsewhere(writer: Writer, personId: string): Promise<void> {
    await lock(this.#deps.database.engine, writer, 'persons', [personId]);
    // A region that was added later may not know the person.
    if (await endReplica(writer, personId, this.#deps.clock.now())) await this.#note(writer, personId, null);
  }

  /** Rows of a person have come back who deleted the account and is gone: what they bind is ended and deleted once more. */
  async endAgain(writer: Writer, person: Pick<PersonRow, 'id' | 'share_code'>): Promise<void> {
    await insertDeleted(writer, person, this.#deps.clock.now());
    await this.#note(writer, person.id, null);
  }

  async #note(writer: Writer, personId: string, email: string | null): Promise<void> {
    const { clock, database } = this.#deps;
    const now = clock.now();
    await insertDeletion(writer, { person_id: personId, email, deleted_at: now, run_at: now });
    await database.notify(writer, DELETIONS_CHANNEL, '');
  }
}
