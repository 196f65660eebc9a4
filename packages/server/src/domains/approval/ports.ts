import type { Writer } from '../../db/database.ts';

/** Something that a person's open pages and devices are to hear of. */
export interface Signal {
  readonly kind: 'two_factor_challenge' | 'two_factor_challenge_closed';
  readonly id: string;
  /** Also as a push: it says no more than that somebody asks. */
  readonly push?: boolean;
}

/** Tells people's devices; called after the commit. What is lost here, pages find by asking from time to time. */
export interface DeviceSignals {
  tell(personId: string, signal: Signal): void | Promise<void>;
}

/** The challenges that wait for a person, as the end of an enrolment meets them. */
export interface PendingChallenges {
  /** Revokes them in the caller's transaction, which holds the person's lock; call it last. Gives their ids. */
  revoke(writer: Writer, asked: { serviceId: string; personId: string }): Promise<readonly string[]>;
  /** Has the person's devices close them; after the commit. */
  tellClosed(personId: string, ids: readonly string[]): Promise<void>;
}
