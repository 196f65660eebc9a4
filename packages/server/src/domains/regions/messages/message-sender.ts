import { Worker } from '../../../core/worker.ts';
import type { Core } from '../../domain.ts';
import type { Maintenance } from '../../operations/index.ts';
import { type Peers, regionUnavailable, WAIT_MOST_MS } from '../directory/peers.ts';
import { LANES, laneOf, MESSAGE_CHANNEL, type Received } from './message-queue.ts';
import {
  arrivedIn,
  isWaiting,
  lanesOf,
  laneTo,
  markArrived,
  messagesAfter,
  rewindLane,
  type WaitingMessage,
} from './store.ts';

/** Messages that one request carries. */
const BATCH_MOST = 50;
/** The message with which a batch exceeds this many characters is its last. */
const BATCH_SIZE = 1024 * 1024;
/** A signal may be lost while the database is away, so the sender looks for messages every 5 seconds besides. */
const SCAN_MS = 5_000;
const RETRY_FIRST_MS = 100;
const RETRY_MOST_MS = 15_000;
/**
 * The other region may need a long transaction for each message of a batch. What it has applied of a batch that was given
 * up it skips when it comes again, so that each try gets further.
 */
const TIMEOUT_MS = 10_000;
/** A region that did not answer is tried often, and with one message: what it says is soon known. */
const TRY_RETRY_MOST_MS = 2_000;
const TRY_TIMEOUT_MS = 4_000;
/** A longer lane is not sent before a call that depends on it. */
const CATCH_UP_BATCHES = 40;

interface Sent {
  /** How many messages of the batch the other region has. */
  readonly arrived: number;
  /** The one that it could not apply. */
  readonly failed: Received['failed'];
  /** Whether it lacks earlier ones: the lane begins with these now. */
  readonly isBehind: boolean;
}

interface Lane {
  readonly to: string;
  readonly lane: number;
  /** Undefined while no batch is being sent. */
  run: Promise<void> | undefined;
  /** Whether the lane has grown while a batch was being sent. */
  again: boolean;
  failures: number;
  cancelRetry: (() => void) | undefined;
}

interface Deps
  extends Pick<Core, 'availability' | 'database' | 'instruments' | 'log' | 'regions' | 'timers'> {
  readonly peers: Pick<Peers, 'call'>;
  readonly maintenance: Pick<Maintenance, 'workPaused' | 'watch'>;
}

/**
 * Sends the messages of this region to the others: each lane in its order, one batch at a time. What the other region has
 * applied is noted, and the messages stay for a while: a region that comes back from a backup gets them again. Two processes
 * may send the same lane: the receiver skips duplicates.
 */
export class MessageSender {
  readonly #deps: Deps;
  readonly #lanes = new Map<string, Lane>();
  /** Regions that did not answer when last called. */
  readonly #unreachable = new Set<string>();
  #unsubscribe = () => {};
  readonly #scans: Worker;
  #stopped = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    const work = async () => this.#wakeAll();
    this.#scans = new Worker({ ...deps, name: 'look for waiting messages', pauseMs: SCAN_MS, work });
  }

  async start(): Promise<void> {
    this.#deps.maintenance.watch(
      () => {},
      () => this.#wakeAll(),
    );
    this.#unsubscribe = await this.#deps.database.subscribe(MESSAGE_CHANNEL, (signal) => {
      const [to = '', lane = ''] = signal.split(' ');
      this.#wake(to, Number(lane));
    });
    this.#scans.start();
  }

  /** Finishes the batches that are being sent; the other messages stay queued. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unsubscribe();
    await this.#scans.stop();
    for (const lane of this.#lanes.values()) lane.cancelRetry?.();
    await Promise.all([...this.#lanes.values()].map((lane) => lane.run));
  }

  /** Sends the queued messages once; for tests. @returns how many arrived */
  async sendAll(): Promise<number> {
    let arrived = 0;
    for (const to of this.#deps.regions.others) {
      for (let lane = 0; lane < LANES; lane++) {
        for (let more = true; more; ) {
          const sent = await this.sendBatch(to, lane);
          arrived += sent?.arrived ?? 0;
          more = sent !== undefined && (sent.arrived > 0 || sent.isBehind) && sent.failed === undefined;
        }
      }
    }
    return arrived;
  }

  /**
   * Sends the messages about a subject now, so that the other region knows them before it answers a call.
   * @param deadline until when the caller waits, of `performance.now()`
   * @throws {PlatformError} region.unavailable when it cannot apply them, or when too many wait before them
   */
  async sendAbout(to: string, subject: string, deadline = performance.now() + WAIT_MOST_MS): Promise<void> {
    const lane = laneOf(subject);
    for (let batches = 0; await isWaiting(this.#deps.database.reader, to, lane, subject); batches++) {
      const timeoutMs = deadline - performance.now();
      if (batches === CATCH_UP_BATCHES || timeoutMs <= 0) throw regionUnavailable();
      // Another process may have sent the same messages meanwhile, so `arrived` may be 0.
      const sent = await this.sendBatch(to, lane, { timeoutMs });
      if (sent?.failed !== undefined) throw regionUnavailable();
    }
  }

  /**
   * Sends the first batch of a lane.
   * @param options.most messages; fewer when they are large
   * @returns undefined when the lane is empty and nothing was sent
   * @throws {PlatformError} region.unavailable
   */
  async sendBatch(
    to: string,
    lane: number,
    { most = BATCH_MOST, timeoutMs = TIMEOUT_MS }: { most?: number; timeoutMs?: number } = {},
  ): Promise<Sent | undefined> {
    const { reader } = this.#deps.database;
    const after = await arrivedIn(reader, to, lane);
    const batch = cut(await messagesAfter(reader, to, lane, after, most));
    if (batch.length === 0) return undefined;
    return this.#send(to, lane, { after, batch, timeoutMs });
  }

  /**
   * Asks each region how far it has applied what arrived there: of a lane in which nothing is sent, nothing else would tell that
   * the region came back from a backup. A region that does not answer is asked the next time.
   */
  async compare(stopping: AbortSignal): Promise<void> {
    const silent = new Set<string>();
    for (const { to_region: to, lane, arrived: after } of await lanesOf(this.#deps.database.reader)) {
      if (stopping.aborted) return;
      if (silent.has(to) || !this.#deps.regions.others.includes(to)) continue;
      try {
        const { isBehind } = await this.#send(to, lane, { after, batch: [], timeoutMs: TIMEOUT_MS });
        if (isBehind) this.#wake(to, lane);
      } catch {
        silent.add(to);
      }
    }
  }

  async #send(
    to: string,
    lane: number,
    { after, batch, timeoutMs }: { after: number; batch: readonly WaitingMessage[]; timeoutMs: number },
  ): Promise<Sent> {
    const answer = await this.#deps.peers.call(
      { region: to },
      {
        method: 'POST',
        path: '/internal/messages',
        body: { lane, after, messages: batch },
        timeoutMs,
      },
    );
    if (answer.status !== 200) {
      const cause = new Error(`Messages were answered ${answer.status}: ${answer.bytes.toString()}`);
      throw regionUnavailable(cause);
    }
    const { through, behind, failed } = JSON.parse(answer.bytes.toString()) as Received;
    if (behind === true) {
      await this.#rewind(to, lane, through);
      return { arrived: 0, failed, isBehind: true };
    }
    const arrived = batch.filter(({ seq }) => seq <= through).length;
    const [first] = batch;
    if (first !== undefined && arrived > 0)
      await this.#deps.database.write((writer) =>
        markArrived(writer, to, lane, { first: first.seq, through }),
      );
    return { arrived, failed, isBehind: false };
  }

  /** Makes what a region has lost wait again, and says when it is no longer here. @param through the last message that it has */
  async #rewind(to: string, lane: number, through: number): Promise<void> {
    const { database, instruments, log } = this.#deps;
    const isLost = await database.write(async (writer) => {
      const { deleted = 0 } = (await laneTo(writer, to, lane)) ?? {};
      await rewindLane(writer, to, lane, through);
      return deleted > through;
    });
    log.warn(
      { to, lane, through },
      'region behind: it came back from a backup and gets later messages again',
    );
    if (isLost) {
      instruments.count('symbolon.regions.messages.lost', { region: to });
      log.error(
        { to, lane, through },
        'region messages lost: the other region came back from a backup older than what is kept here',
      );
    }
  }

  #wakeAll(): void {
    for (const to of this.#deps.regions.others) for (let lane = 0; lane < LANES; lane++) this.#wake(to, lane);
  }

  #wake(to: string, number: number): void {
    // Messages for a region that is not configured stay queued.
    if (this.#stopped || this.#deps.maintenance.workPaused || !this.#deps.regions.others.includes(to)) return;
    const key = `${to} ${number}`;
    const lane = this.#lanes.get(key) ?? {
      to,
      lane: number,
      run: undefined,
      again: false,
      failures: 0,
      cancelRetry: undefined,
    };
    this.#lanes.set(key, lane);
    if (lane.run !== undefined) lane.again = true;
    // A lane that failed waits for its retry, even when it grows.
    else if (lane.cancelRetry === undefined) lane.run = this.#run(lane);
  }

  async #run(lane: Lane): Promise<void> {
    try {
      do {
        lane.again = false;
        for (let more = true; more && !this.#stopped && !this.#deps.maintenance.workPaused; ) {
          const tries = this.#unreachable.has(lane.to) ? { most: 1, timeoutMs: TRY_TIMEOUT_MS } : {};
          const sent = await this.sendBatch(lane.to, lane.lane, tries);
          // An empty lane says nothing of the other region.
          if (sent === undefined) break;
          this.#answered(lane, sent.failed);
          if (sent.failed !== undefined) return;
          more = sent.arrived > 0 || sent.isBehind;
        }
      } while (lane.again && !this.#stopped && !this.#deps.maintenance.workPaused);
    } catch (error) {
      this.#unanswered(lane, error);
    } finally {
      lane.run = undefined;
    }
  }

  #answered(lane: Lane, failed: Received['failed']): void {
    if (this.#unreachable.delete(lane.to)) {
      this.#deps.log.info({ to: lane.to }, 'region reachable again: its messages are sent');
      for (const other of this.#lanes.values()) if (other.to === lane.to) this.#retryNow(other);
    }
    if (failed === undefined) {
      if (lane.failures > 0)
        this.#deps.log.info({ to: lane.to, lane: lane.lane }, 'region queue moves again');
      lane.failures = 0;
      return;
    }
    this.#retryLater(lane);
    const details = { to: lane.to, lane: lane.lane, ...failed, failures: lane.failures };
    if (lane.failures === 1)
      this.#deps.log.info(details, 'region queue paused: the other region postponed a message');
    else
      this.#deps.log.warn(details, 'region queue blocked: the other region cannot apply its first message');
  }

  #unanswered(lane: Lane, error: unknown): void {
    this.#retryLater(lane, TRY_RETRY_MOST_MS);
    // Logged once for a region, not once for each of its lanes.
    if (this.#unreachable.has(lane.to)) return;
    this.#unreachable.add(lane.to);
    this.#deps.log.warn({ err: error, to: lane.to }, 'region unreachable: its messages stay queued');
  }

  #retryNow(lane: Lane): void {
    if (lane.cancelRetry === undefined) return;
    lane.cancelRetry();
    lane.cancelRetry = undefined;
    this.#wake(lane.to, lane.lane);
  }

  #retryLater(lane: Lane, most = RETRY_MOST_MS): void {
    if (this.#stopped) return;
    const pause = Math.min(RETRY_FIRST_MS * 2 ** lane.failures, most);
    lane.failures++;
    lane.cancelRetry = this.#deps.timers.after(pause, () => {
      lane.cancelRetry = undefined;
      this.#wake(lane.to, lane.lane);
    });
  }
}

/** The first messages, until they are large enough for one batch. */
function cut(messages: readonly WaitingMessage[]): WaitingMessage[] {
  let size = 0;
  const batch: WaitingMessage[] = [];
  for (const message of messages) {
    batch.push(message);
    size += message.body.length;
    if (size > BATCH_SIZE) break;
  }
  return batch;
}
