import type { DirectoryNameRow, DirectoryOwnerRow } from './tables.ts';

/** A company or a person: it has exactly one home region. */
export interface Owner {
  readonly kind: DirectoryOwnerRow['kind'];
  readonly id: string;
}

/** A share code or an e-mail address that signs in: it exists once in all regions. */
export interface Name {
  readonly kind: DirectoryNameRow['kind'];
  readonly name: string;
}

/** The home region of an owner. */
export interface Home {
  readonly owner: Owner;
  readonly region: string;
}

/**
 * Knows the home region of every owner and the owner of every name. The front door keeps it.
 *
 * A region claims a name before the transaction that writes it, and confirms it after. A claim whose transaction failed is
 * released later. An owner may claim its own name again.
 */
export interface Directory {
  /**
   * Claims all of the names or none. The first claim of an owner makes this region its home.
   * @returns the names that have another owner; empty when all were claimed
   * @throws {PlatformError} region.unavailable when the front door does not answer
   */
  claim(owner: Owner, names: readonly Name[]): Promise<readonly Name[]>;
  /** Says that the names are in use. Never throws: the front door asks later about claims without a confirmation. */
  confirm(owner: Owner, names: readonly Name[]): Promise<void>;
  /** Releases names; without names, all of them and the owner. Never throws. */
  release(owner: Owner, names?: readonly Name[]): Promise<void>;
  /** @throws {PlatformError} region.unavailable */
  find(name: Name): Promise<Home | undefined>;
  /** @throws {PlatformError} region.unavailable */
  homeOf(owner: Owner): Promise<string | undefined>;
  /**
   * Changes a company's home from one region to another; repeating it does nothing.
   * @returns the home afterwards: `to`, unless it was neither `from` nor `to`
   * @throws {PlatformError} region.unavailable
   */
  move(companyId: string, change: { from: string; to: string }): Promise<string | undefined>;
}
