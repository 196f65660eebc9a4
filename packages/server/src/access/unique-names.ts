import type { PlatformError } from '../core/errors.ts';

/** The owner of names: a company or a person. */
export interface NameOwner {
  readonly kind: 'company' | 'person';
  readonly id: string;
}

/** Something that exists once on the whole platform: an e-mail address that signs in, or a share code. */
export interface UniqueName {
  readonly kind: 'portal_email' | 'person_email' | 'share_code';
  readonly name: string;
}

/** Keeps names unique. With one region the database's constraints do all of it. */
export interface UniqueNames {
  /**
   * Refuses a sign-in that belongs to another region.
   * @param email in any spelling
   * @throws {PlatformError} region.rebase_required, region.unavailable
   */
  assertSignsInHere(kind: 'portal_email' | 'person_email', email: string): Promise<void>;
  /** Whether an owner in another region has a name. @throws {PlatformError} region.unavailable */
  isTakenElsewhere(name: UniqueName): Promise<boolean>;
  /**
   * Claims names, runs `work`, then confirms the names.
   * @param taken makes the error for a name that another owner has
   * @throws {PlatformError} region.unavailable, and what `taken` makes
   */
  withClaim<T>(
    owner: NameOwner,
    names: readonly UniqueName[],
    taken: () => PlatformError,
    work: () => Promise<T>,
  ): Promise<T>;
  /** Claims a new share code; undefined when the database alone finds one. @throws {PlatformError} region.unavailable */
  claimShareCode(owner: NameOwner): Promise<string | undefined>;
  confirmShareCode(owner: NameOwner, shareCode: string): Promise<void>;
  /** Call it after the commit that freed the names. Without names, all names of the owner are released. */
  release(owner: NameOwner, names?: readonly UniqueName[]): Promise<void>;
}

export const localNames: UniqueNames = {
  async assertSignsInHere() {},
  isTakenElsewhere: async () => false,
  withClaim: (_owner, _names, _taken, work) => work(),
  claimShareCode: async () => undefined,
  async confirmShareCode() {},
  async release() {},
};
