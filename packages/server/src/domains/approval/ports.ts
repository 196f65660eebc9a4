import type { Writer } from '../../db/database.ts';

/** The challenges that wait for a person, as the end of an enrolment meets them. */
export interface PendingChallenges {
  /** Revokes them in the caller's transaction, which holds the person's lock; call it last. Gives their ids. */
  revoke(writer: Writer, asked: { serviceId: string; personId: string }): Promise<readonly string[]>;
  /** Has the person's devices close them; after the commit. */
  tellClosed(personId: string, ids: readonly string[]): void;
}
