import { mailboxOf } from '../../../access/email.ts';
import { refuseBase } from '../../../access/routing.ts';
import type { NameOwner, UniqueName, UniqueNames } from '../../../access/unique-names.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { Regions } from '../../../core/regions.ts';
import type { Secrets } from '../../../core/secrets.ts';
import type { Core } from '../../domain.ts';
import type { Directory, Name, Owner } from './directory.ts';
import { holdsName, isNameHere, ownersAfter } from './name-store.ts';

const CODE_LENGTH = 6;
/** Only a fault can make so many random codes in a row be taken. */
const CODE_TRIES = 50;

interface Deps extends Pick<Core, 'database' | 'ids' | 'log' | 'regions'> {
  readonly directory: Directory;
  readonly secrets: Pick<Secrets, 'decoy'>;
}

/** Keeps names unique in all regions: a name is claimed before the transaction that writes it, and confirmed after it. */
export class GlobalNames implements UniqueNames {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Refuses a sign-in that belongs to another region. An address without an account is assigned a home as well, always the
   * same one, so the answer does not tell whether an account exists.
   * @param email in any spelling
   * @throws {PlatformError} region.rebase_required, region.unavailable
   */
  async assertSignsInHere(kind: 'portal_email' | 'person_email', email: string): Promise<void> {
    if (await isNameHere(this.#deps.database.reader, { kind, name: email })) return;
    const home = await this.homeOfSignIn({ kind, name: email });
    if (home !== this.#deps.regions.own) refuseBase(this.#deps.regions, home);
  }

  /** The region where an address signs in. @throws {PlatformError} region.unavailable */
  async homeOfSignIn(name: Name): Promise<string> {
    const home = await this.#deps.directory.find(name);
    return home?.region ?? decoyHome(this.#deps.regions, this.#deps.secrets, name);
  }

  /** Whether an owner in another region has a name. @throws {PlatformError} region.unavailable */
  async isTakenElsewhere(name: UniqueName): Promise<boolean> {
    const home = await this.#deps.directory.find(name);
    return home !== undefined && home.region !== this.#deps.regions.own;
  }

  /**
   * Claims names, runs `work`, then confirms the names.
   * @param taken makes the error for a name of another owner
   * @throws {PlatformError} region.unavailable
   */
  async withClaim<T>(
    owner: NameOwner,
    names: readonly UniqueName[],
    taken: () => PlatformError,
    work: () => Promise<T>,
  ): Promise<T> {
    if ((await this.#deps.directory.claim(owner, names)).length > 0) throw taken();
    const result = await work();
    await this.#deps.directory.confirm(owner, names);
    return result;
  }

  /** Claims a new share code. @throws {PlatformError} region.unavailable */
  async claimShareCode(owner: NameOwner): Promise<string> {
    for (let tries = 0; tries < CODE_TRIES; tries++) {
      const name = this.#deps.ids.code(CODE_LENGTH);
      if ((await this.#deps.directory.claim(owner, [{ kind: 'share_code', name }])).length === 0) return name;
    }
    throw new PlatformError('internal', { cause: new Error('No share code was free.') });
  }

  async confirmShareCode(owner: NameOwner, shareCode: string): Promise<void> {
    await this.#deps.directory.confirm(owner, [{ kind: 'share_code', name: shareCode }]);
  }

  /** Call it after the commit that freed the names. Without names, all names of the owner are released. */
  async release(owner: NameOwner, names?: readonly UniqueName[]): Promise<void> {
    await this.#deps.directory.release(owner, names);
  }

  /** Those of the names that an owner of this region uses. */
  async held(owner: Owner, names: readonly Name[]): Promise<Name[]> {
    const held: Name[] = [];
    for (const name of names) if (await holdsName(this.#deps.database.reader, owner, name)) held.push(name);
    return held;
  }

  /**
   * Registers a page of owners of this region, for a directory that was added after them. Repeating it does nothing.
   * @returns the last id; undefined after the last page
   * @throws {PlatformError} region.unavailable
   */
  async sendPage(kind: Owner['kind'], after: string, limit: number): Promise<string | undefined> {
    const { database, directory, log } = this.#deps;
    const owners = await ownersAfter(database.reader, kind, after, limit);
    for (const { owner, names } of owners) {
      const taken = await directory.claim(owner, names);
      if (taken.length === 0) await directory.confirm(owner, names);
      else
        log.error(
          { owner, taken },
          'name conflict: names of this region belong to an owner in another region',
        );
    }
    return owners.at(-1)?.owner.id;
  }
}

/** The home that is assigned to an address without an account. */
export function decoyHome(regions: Regions, secrets: Pick<Secrets, 'decoy'>, { kind, name }: Name): string {
  const { names } = regions;
  const chosen = secrets.decoy(`home of ${kind} ${mailboxOf(name)}`).readUInt32BE() % names.length;
  return names[chosen] ?? regions.own;
}
