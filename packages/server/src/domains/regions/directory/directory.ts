import type { DirectoryNameRow, DirectoryOwnerRow } from './tables.ts';

/** Somebody who is at home in exactly one region. */
export interface Owner {
  readonly kind: DirectoryOwnerRow['kind'];
  readonly id: string;
}

/** Something that exists once in all regions: a client id, a share code, an e-mail address that signs in. */
export interface Name {
  readonly kind: DirectoryNameRow['kind'];
  readonly name: string;
}

/** Where somebody is at home. */
export interface Home {
  readonly owner: Owner;
  readonly region: string;
}

/**
 * Who is at home where, and whose names are whose. The front door keeps it.
 *
 * A region claims a name before the transaction that writes it and confirms it after: a claim whose transaction never came
 * is given back later. Whoever asks twice for what is theirs gets it twice.
 */
export interface Directory {
  /**
   * Takes names for somebody of this region; all of them or none. A first claim makes this region the owner's home.
   * @returns the names that belong to somebody else; empty when all were taken
   * @throws {PlatformError} region.unavailable when the front door does not answer
   */
  claim(owner: Owner, names: readonly Name[]): Promise<readonly Name[]>;
  /** Says that the names are in use. Never fails: what is not told is asked for later. */
  confirm(owner: Owner, names: readonly Name[]): Promise<void>;
  /** Gives names back; without names, all of them, and the owner. Never fails. */
  release(owner: Owner, names?: readonly Name[]): Promise<void>;
  /** @throws {PlatformError} region.unavailable */
  find(name: Name): Promise<Home | undefined>;
  /** @throws {PlatformError} region.unavailable */
  homeOf(owner: Owner): Promise<string | undefined>;
  /**
   * Changes a company's home; repeating it does nothing.
   * @returns the home that counts now: `to`, unless it was neither `from` nor `to`
   * @throws {PlatformError} region.unavailable
   */
  move(companyId: string, change: { from: string; to: string }): Promise<string | undefined>;
}
