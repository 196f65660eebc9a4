import type { ChangeEvent } from '@symbolon/protocol';
import type { Change } from '../data/change.ts';
import { ConfigurationError, SymbolonError } from '../http/errors.ts';
import { type Runtime, runtimeWith } from '../http/runtime.ts';
import { type BufferedItem, ChangeBuffer, type DeadLetter } from './change-buffer.ts';
import { failureText } from './failure-text.ts';
import { Nudge } from './nudge.ts';

/** Where changes come from: a `DataClient`, a `CustomerClient`, or anything like one. */
export type ChangeFeed<C = Change> = {
  changes: (options: {
    limit: number;
    /** The last event that is on disk, '' for none: the platform deletes what it gave up to that one, and nothing else. */
    after: string;
    webhookId?: string;
    signal?: AbortSignal;
  }) => Promise<readonly ChangeEvent[]>;
  openChange: (event: ChangeEvent) => Promise<C>;
  /** Events of one lane are handed out one after another. Default: those of one person. */
  laneOf?: (event: ChangeEvent) => string;
};

export type ChangePumpOptions<C = Change> = {
  client: ChangeFeed<C>;
  /** The durable buffer, made when it is not there. It holds what the feed sent: ciphertext only. */
  file: string;
  /**
   * Does the company's work for one change. When it resolves, the change is done for good; when it rejects, it is
   * tried again. It may see a change twice after a crash, so it should be idempotent.
   */
  handle: (change: C, context: { attempt: number }) => Promise<void> | void;
  /** Rows to a drain, 1 to 500. Default 100. */
  batchSize?: number;
  /** How often a failed change is tried again before it becomes a dead letter. Default 3. */
  retries?: number;
  /** Changes of different people handled at the same time. Default 1. */
  concurrency?: number;
  /** Milliseconds between drains while changes come, default 1000; without any it grows up to `idlePollMs`. */
  pollMs?: number;
  /** Default 15000. */
  idlePollMs?: number;
  /** Nothing is drained while so many changes wait here. Default 100000. */
  bufferMost?: number;
  /** Drains that webhook's backlog instead of the plain feed. */
  webhookId?: string;
  /** Called with failures from which the pump recovers by itself: drains that failed, handlers that failed, a disk that is full. */
  onError?: (error: unknown) => void;
  /** Stops the pump, as `stop` does. */
  signal?: AbortSignal;
  runtime?: Partial<Omit<Runtime, 'fetch'>>;
};

export type PumpStats = {
  running: boolean;
  /** Waiting on disk, those in hand included. */
  buffered: number;
  inHand: number;
  deadLettered: number;
  /** When the oldest waiting change arrived here, in milliseconds since the epoch. */
  oldestAt: number | null;
  /** Since `start`: */
  drained: number;
  duplicates: number;
  acknowledged: number;
  failures: number;
  lastDrainAt: number | null;
};

/**
 * Consumes the feed without losing a change. A drain is written to disk, and the next one tells the platform so: only then
 * the platform deletes what it gave. One pump at a time may follow a feed with one client. Changes are opened only when they are handed out, one after another for each person; what was handled is taken off the disk.
 *
 * While a change is tried again, later ones of the same person wait and everybody else's go on. When it is given up,
 * it becomes a dead letter and the later ones go on: `redrive` puts it behind them, so a handler that writes the
 * latest value should compare `change.at`.
 */
export class ChangePump<C extends object = Change> implements AsyncDisposable {
  readonly #options: Required<Pick<ChangePumpOptions, keyof typeof DEFAULTS>> & ChangePumpOptions<C>;
  readonly #runtime: Runtime;
  readonly #nudge = new Nudge();
  readonly #busyLanes = new Set<string>();
  #run: Run | undefined;
  #counters = freshCounters();

  /** @throws ConfigurationError for a batch size out of range */
  constructor(options: ChangePumpOptions<C>) {
    this.#options = { ...DEFAULTS, ...options };
    this.#runtime = runtimeWith(options.runtime);
    const { batchSize } = this.#options;
    if (Number.isInteger(batchSize) && batchSize >= 1 && batchSize <= 500) return;
    throw new ConfigurationError({ errorKey: 'sdk.configuration', message: 'batchSize must be 1 to 500.' });
  }

  /** Opens the buffer and begins. @throws BufferLockedError `sdk.buffer_locked` */
  start(): void {
    if (this.#run || this.#options.signal?.aborted) return;
    const buffer = new ChangeBuffer(this.#options.file);
    const stop = new AbortController();
    this.#counters = freshCounters();
    const hands = Array.from({ length: Math.max(1, this.#options.concurrency) }, () =>
      this.#work(buffer, stop.signal),
    );
    const finished = Promise.all([this.#drain(buffer, stop.signal), ...hands]).finally(() => buffer.close());
    // A failure is reported by `stop`.
    finished.catch(() => undefined);
    this.#run = { buffer, stop, finished };
    this.#options.signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Finishes the changes in hand, then closes the buffer; what waits is handed out next time. */
  async stop(): Promise<void> {
    const run = this.#run;
    if (!run) return;
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    run.stop.abort(new SymbolonError({ errorKey: 'sdk.stopped', message: 'The pump was stopped.' }));
    this.#nudge.give();
    try {
      await run.finished;
    } finally {
      if (this.#run === run) this.#run = undefined;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Changes given up after their retries, oldest first. Works on a stopped pump too. */
  deadLetters(): DeadLetter[] {
    return this.#withBuffer((buffer) => buffer.deadLetters());
  }

  /** Tries a dead letter again, or all of them, with their retries renewed. Gives how many. */
  redrive(id: string | 'all'): number {
    const count = this.#withBuffer((buffer) => buffer.redrive(id, this.#runtime.now()));
    this.#nudge.give();
    return count;
  }

  stats(): PumpStats {
    const running = this.#run !== undefined;
    const counts = this.#withBuffer((buffer) => buffer.counts());
    return { running, inHand: this.#busyLanes.size, ...counts, ...this.#counters };
  }

  async #drain(buffer: ChangeBuffer, signal: AbortSignal): Promise<void> {
    const { client, batchSize, webhookId, pollMs, idlePollMs, bufferMost } = this.#options;
    const query = { limit: batchSize, signal, ...(webhookId !== undefined && { webhookId }) };
    let waitMs = pollMs;
    let failures = 0;
    let forgetAt = 0;
    while (!signal.aborted) {
      try {
        if (this.#runtime.now() >= forgetAt) {
          buffer.forget(this.#runtime.now() - REMEMBER_MS);
          forgetAt = this.#runtime.now() + FORGET_EVERY_MS;
        }
        const isFull = buffer.counts().buffered >= bufferMost;
        const events = isFull ? [] : await client.changes({ ...query, after: buffer.lastOf(webhookId) });
        if (events.length > 0) this.#keep(buffer, events);
        failures = 0;
        this.#counters.lastDrainAt = this.#runtime.now();
        waitMs = events.length > 0 || isFull ? pollMs : Math.min(idlePollMs, Math.ceil(waitMs * 1.5));
        if (events.length >= batchSize) continue;
        await this.#pause(waitMs, signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#report(error);
        await this.#pause(this.#backoffMs(++failures, error), signal);
      }
    }
  }

  /** When the disk refuses, the next drain gets the same rows. */
  #keep(buffer: ChangeBuffer, events: readonly ChangeEvent[]): void {
    const { client, webhookId } = this.#options;
    const added = buffer.add(events, this.#runtime.now(), webhookId, client.laneOf);
    this.#counters.drained += events.length;
    this.#counters.duplicates += events.length - added;
    this.#nudge.give();
  }

  async #work(buffer: ChangeBuffer, signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      const nudged = this.#nudge.next();
      try {
        const item = buffer.next(this.#runtime.now(), this.#busyLanes);
        if (item) await this.#handOut(buffer, item);
        else await this.#rest(buffer.nextDueAt(this.#busyLanes), nudged, signal);
        failures = 0;
      } catch (error) {
        this.#report(error);
        await this.#pause(this.#backoffMs(++failures, error), signal);
      }
    }
  }

  async #handOut(buffer: ChangeBuffer, item: BufferedItem): Promise<void> {
    this.#busyLanes.add(item.lane);
    try {
      const change = await this.#open(buffer, item);
      if (!change) return;
      const failure = await this.#handle(change, item.attempts + 1);
      if (failure === undefined) {
        buffer.acknowledge(item, this.#runtime.now());
        this.#counters.acknowledged++;
      } else {
        this.#fail(buffer, item, failure.error, failureText(failure.error, change));
      }
    } finally {
      this.#busyLanes.delete(item.lane);
      // A hand that rests may have been waiting for this very lane.
      this.#nudge.give();
    }
  }

  /** Opening may ask the platform for its registry: that it cannot answer is not the change's fault. */
  async #open(buffer: ChangeBuffer, item: BufferedItem): Promise<C | undefined> {
    try {
      return await this.#options.client.openChange(item.event);
    } catch (error) {
      if (error instanceof SymbolonError) {
        this.#report(error);
        buffer.postpone(item, item.attempts, this.#runtime.now() + this.#backoffMs(3, error));
      } else {
        this.#fail(buffer, item, error, 'The change could not be opened.');
      }
      return undefined;
    }
  }

  async #handle(change: C, attempt: number): Promise<{ error: unknown } | undefined> {
    try {
      await this.#options.handle(change, { attempt });
      return undefined;
    } catch (error) {
      return { error };
    }
  }

  #fail(buffer: ChangeBuffer, item: BufferedItem, error: unknown, text: string): void {
    this.#counters.failures++;
    const attempts = item.attempts + 1;
    const now = this.#runtime.now();
    if (attempts > this.#options.retries) buffer.bury(item, attempts, text, now);
    else buffer.postpone(item, attempts, now + this.#backoffMs(attempts));
    this.#report(error);
  }

  /** Until something comes, something is due, or the pump stops. */
  async #rest(dueAt: number | undefined, nudged: Promise<void>, signal: AbortSignal): Promise<void> {
    if (dueAt === undefined) return nudged;
    const over = new AbortController();
    const ms = Math.max(0, dueAt - this.#runtime.now());
    const timer = this.#pause(ms, AbortSignal.any([signal, over.signal]));
    await Promise.race([nudged, timer]).finally(() => over.abort());
  }

  #pause(ms: number, signal: AbortSignal): Promise<void> {
    return this.#runtime.sleep(ms, signal).catch(() => undefined);
  }

  /** One second, doubling up to a minute, the upper half of it by chance; never earlier than the platform asked. */
  #backoffMs(failures: number, error?: unknown): number {
    const ceiling = Math.min(60_000, 1000 * 2 ** (failures - 1));
    const ms = Math.round(ceiling / 2 + (this.#runtime.random() * ceiling) / 2);
    return Math.max(ms, error instanceof SymbolonError ? (error.retryAfterMs ?? 0) : 0);
  }

  #report(error: unknown): void {
    try {
      this.#options.onError?.(error);
    } catch {
      // A listener that fails must not stop the pump.
    }
  }

  #withBuffer<T>(use: (buffer: ChangeBuffer) => T): T {
    if (this.#run) return use(this.#run.buffer);
    const buffer = new ChangeBuffer(this.#options.file);
    try {
      return use(buffer);
    } finally {
      buffer.close();
    }
  }

  readonly #onAbort = (): void => {
    this.stop().catch((error) => this.#report(error));
  };
}

function freshCounters() {
  return {
    drained: 0,
    duplicates: 0,
    acknowledged: 0,
    failures: 0,
    lastDrainAt: null as number | null,
  };
}

type Run = { buffer: ChangeBuffer; stop: AbortController; finished: Promise<unknown> };

const DEFAULTS = {
  batchSize: 100,
  retries: 3,
  concurrency: 1,
  pollMs: 1000,
  idlePollMs: 15_000,
  bufferMost: 100_000,
};
/** A day longer than the platform keeps what is not drained (wire 8). */
const REMEMBER_MS = 8 * 24 * 60 * 60 * 1000;
const FORGET_EVERY_MS = 60 * 60 * 1000;
