import type { Presence, PresenceOptions, PresenceProof } from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { PlatformError } from '../core/errors.ts';

/** What an act demands of a proof. */
export interface PresenceNeed {
  /** Whether the login secret alone is refused. */
  readonly strong: boolean;
}

/** Checks the proofs of presence that come with calls: some acts a session alone must not do. */
export interface CallPresence {
  /**
   * Checks the proof of a call, once. What was found goes along when the call is sent on to the region that has the thing:
   * call it first, and then act. The secrets of the proof are taken out of the call: no other region sees them.
   * @throws {PlatformError} those of `AccountPresence.prove`, region.unavailable
   */
  presenceOf(
    request: FastifyRequest,
    act: string,
    proof: PresenceProof,
    need: PresenceNeed,
  ): Promise<Presence>;
}

/** A proof for an act, as it is checked. */
export interface GivenProof {
  readonly act: string;
  readonly proof: PresenceProof;
  /** The caller's address. */
  readonly source: string;
  readonly need: PresenceNeed;
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
