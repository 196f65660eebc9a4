import { refuseBase } from '../../../access/routing.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { Regions } from '../../../core/regions.ts';
import type { Secrets } from '../../../core/secrets.ts';
import type { Core } from '../../domain.ts';
import type { NameOwner, UniqueName, UniqueNames } from '../../identity/index.ts';
import type { Directory, Name, Owner } from './directory.ts';
import { holdsName, isNameHere } from './name-store.ts';

const CODE_LENGTH = 6;
/** So often in a row no code that is free is found only when something is wrong. */
const CODE_TRIES = 50;

interface Deps extends Pick<Core, 'database' | 'ids' | 'regions'> {
  readonly directory: Directory;
  readonly secrets: Pick<Secrets, 'hash'>;
}

/** Names that exist once in all regions: claimed before the transaction that writes them, and confirmed after it. */
export class Names implements UniqueNames {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Refuses a sign-in that belongs to another region. An address that nobody registered has a home too, always the same one:
   * asking tells nobody who is registered.
   * @param email in the form in which it is stored
   * @throws {PlatformError} region.rebase_required, region.unavailable
   */
  async assertSignsInHere(kind: 'portal_email' | 'person_email', email: string): Promise<void> {
    if (await isNameHere(this.#deps.database.reader, { kind, name: email })) return;
    const home = await this.homeOfSignIn({ kind, name: email });
    if (home !== this.#deps.regions.own) refuseBase(this.#deps.regions, home);
  }

  /** Where somebody signs in. @throws {PlatformError} region.unavailable */
  async homeOfSignIn(name: Name): Promise<string> {
    const home = await this.#deps.directory.find(name);
    return home?.region ?? decoyHome(this.#deps.regions, this.#deps.secrets, name);
  }

  /**
   * Does what needs a name, with the name claimed.
   * @param taken what is thrown when it is somebody else's
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

  /**
   * Claims a new share code.
   * @throws {PlatformError} region.unavailable
   */
  async claimShareCode(owner: NameOwner): Promise<string> {
    for (let tries = 0; tries < CODE_TRIES; tries++) {
      const name = this.#deps.ids.code(CODE_LENGTH);
      if ((await this.#deps.directory.claim(owner, [{ kind: 'share_code', name }])).length === 0) return name;
    }
    throw new PlatformError('internal', { cause: new Error('No share code was free.') });
  }

  /** Confirms the share code that somebody was given. */
  async confirmShareCode(owner: NameOwner, shareCode: string): Promise<void> {
    await this.#deps.directory.confirm(owner, [{ kind: 'share_code', name: shareCode }]);
  }

  /** After the commit that freed them; without names, all that somebody had. */
  async release(owner: NameOwner, names?: readonly UniqueName[]): Promise<void> {
    await this.#deps.directory.release(owner, names);
  }

  /** Which of the names somebody at home here has written down. */
  async held(owner: Owner, names: readonly Name[]): Promise<Name[]> {
    const held: Name[] = [];
    for (const name of names) if (await holdsName(this.#deps.database.reader, owner, name)) held.push(name);
    return held;
  }
}

/** The home that an address nobody registered seems to have. */
export function decoyHome(regions: Regions, secrets: Pick<Secrets, 'hash'>, { kind, name }: Name): string {
  const { names } = regions;
  const chosen = Number.parseInt(secrets.hash(`home of ${kind} ${name}`).slice(0, 8), 16) % names.length;
  return names[chosen] ?? regions.own;
}
