import type { PendingChange } from './store.ts';

/**
 * Who is sending which rows of a feed, be it a service's or a company's account feed. A claimed row is given to nobody else until it is deleted or released; a process
 * that dies releases what it held.
 */
export interface FeedClaims {
  /** Before the first drain: takes back what a former life of this instance held. */
  start(): Promise<void>;
  /** Claims the oldest rows that nobody holds, in their order. */
  claim(feed: string, most: number): Promise<PendingChange[]>;
  /** The rows arrived. */
  delete(feed: string, seqs: readonly number[]): Promise<void>;
  /** The rows did not arrive. */
  release(feed: string, seqs: readonly number[]): Promise<void>;
  /** Gives out nothing more of these feeds, with db.writes_paused; what was given out may still settle. */
  hold(feeds: readonly string[]): void;
  /** Ends that. */
  free(feeds: readonly string[]): void;
  /** Whether no row of these feeds is being sent, by any process. */
  settled(feeds: readonly string[]): Promise<boolean>;
  stop(): void;
}
