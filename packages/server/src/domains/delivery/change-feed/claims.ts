import type { PendingEvent } from './event-queues.ts';

/** Who asks for rows of which queue: a feed (a service's or a company's) or a webhook's backlog, by its id. */
export interface ClaimRequest {
  readonly queue: string;
  readonly clientId: string;
  readonly most: number;
  /**
   * By word: the id of the last event that the client has taken in, '' for none. What it was given up to that one is
   * deleted, the rest of what it was given is free again, and what is claimed now is deleted by a later word alone.
   */
  readonly after?: string | undefined;
}

/** Rows that were given to a client. By word both functions do nothing. */
export interface Claim {
  readonly rows: readonly PendingEvent[];
  /** They arrived: those that the client has not been given again since are deleted. */
  confirm(): Promise<void>;
  /** They did not arrive: the next drain gets them. */
  release(): Promise<void>;
}

/**
 * Who is given which rows of the feeds, or of the backlogs. A claimed row is given to no other drain until it is deleted or
 * released; what a client has by word is kept from other clients for a minute. Claims of a process that dies end.
 */
export interface Claims {
  /** Before the first drain: releases what this instance was sending before it restarted. */
  start(): Promise<void>;
  /** Claims the oldest free rows, in their order. */
  claim(request: ClaimRequest): Promise<Claim>;
  /** Refuses new drains of these queues with db.writes_paused; drains under way may still settle. */
  pause(queues: readonly string[]): void;
  /** Ends that. */
  resume(queues: readonly string[]): void;
  /** Whether no row of these queues is being sent, by any process. What is left to a client's word is not. */
  settled(queues: readonly string[]): Promise<boolean>;
  stop(): Promise<void>;
}

/** How long other clients are kept from what a client has by word: it comes back sooner, or not soon. */
export const BY_WORD_MS = 60_000;
