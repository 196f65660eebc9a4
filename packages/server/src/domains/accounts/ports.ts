import type { PersonSignalKind, Presence, PresenceOptions, PresenceProof } from '@symbolon/protocol';
import { PlatformError } from '../../core/errors.ts';

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
   * @param email in the form in which it is stored
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

/** A proof for an act, as it is checked. */
export interface GivenProof {
  readonly act: string;
  readonly proof: PresenceProof;
  /** The caller's address. */
  readonly source: string;
  readonly need: { readonly strong: boolean };
}

/** Asks the home of a person, which has their credentials. */
export interface PresenceElsewhere {
  /** @throws {PlatformError} region.unavailable, and what the home refuses the proof with */
  check(region: string, personId: string, given: GivenProof): Promise<Presence>;
  /** @throws {PlatformError} region.unavailable */
  options(region: string, personId: string, act: string): Promise<PresenceOptions>;
}

/** With one region, everybody is at home in it. */
export const noPresenceElsewhere: PresenceElsewhere = {
  async check() {
    throw new PlatformError('auth.invalid');
  },
  async options() {
    throw new PlatformError('auth.invalid');
  },
};

/** What a person's devices are told of. */
export interface PersonSignal {
  readonly kind: PersonSignalKind;
  /** Of what it is about, which the device then reads. */
  readonly id: string;
  /** Whether devices that are asleep are woken: their notification says only that someone asks. */
  readonly push?: boolean;
}

/** Tells the devices of people that something is to be read. A signal may be lost: pages also look by themselves. */
export interface PersonSignals {
  /**
   * Returns at once and never fails. Call it after the commit of what it is about, never inside a transaction.
   * @param home the region in which the person is at home, null for this one; it is looked up when it is not said
   */
  tell(personId: string, signal: PersonSignal, home?: string | null): void;
  /** The same for many people, with fewer messages between processes. */
  tellAll(signals: readonly { personId: string; signal: PersonSignal; home: string | null }[]): void;
}
