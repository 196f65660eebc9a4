import { PlatformError } from '../../../core/errors.ts';
import { Worker } from '../../../core/worker.ts';
import type { Core } from '../../domain.ts';
import type { Maintenance } from '../../operations/index.ts';
import type { Peers } from '../directory/index.ts';
import { LANES, MESSAGE_CHANNEL, type Received } from './message-queue.ts';
import { deleteArrived, type WaitingMessage, waitingMessages } from './store.ts';

/** A batch is sent whole and taken in one by one. */
const BATCH_MOST = 50;
/** A batch of more characters is cut after the message that makes it so. */
const BATCH_SIZE = 1024 * 1024;
/** Signals may be lost while the database is away: whoever missed one looks this much later. */
const SCAN_MS = 5_000;
const RETRY_FIRST_MS = 100;
const RETRY_MOST_MS = 15_000;
/** The other side may have a long transaction to do for each of them. */
const TIMEOUT_MS = 60_000;

interface Lane {
  readonly to: string;
  readonly lane: number;
  /** Undefined while nothing of it is being sent. */
  run: Promise<void> | undefined;
  /** Woken while it was sent: it must be looked at once more. */
  again: boolean;
  failures: number;
  cancelRetry: (() => void) | undefined;
}

interface Deps extends Pick<Core, 'database' | 'log' | 'regions' | 'timers'> {
  readonly peers: Pick<Peers, 'call'>;
  readonly maintenance: Pick<Maintenance, 'workPaused' | 'watch'>;
}

/**
 * Brings the messages of this region to the others: each lane in its order, one batch at a time, until the other side says
 * how far it has taken them in. Two processes that send one lane harm nothing: what arrives twice is passed over.
 */
export class MessageSender {
  readonly #deps: Deps;
  readonly #lanes = new Map<string, Lane>();
  /** Regions that did not answer when last called. */
  readonly #silent = new Set<string>();
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

  /** Finishes the batches in hand; what is left stays queued. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unsubscribe();
    await this.#scans.stop();
    for (const lane of this.#lanes.values()) lane.cancelRetry?.();
    await Promise.all([...this.#lanes.values()].map((lane) => lane.run));
  }

  /** Sends what is queued now, without starting anything that goes on: for tests. Gives how many messages arrived. */
  async sendAll(): Promise<number> {
    let arrived = 0;
    for (const to of this.#deps.regions.others) {
      for (let lane = 0; lane < LANES; lane++) {
        for (let more = true; more; ) {
          const sent = await this.sendBatch(to, lane);
          arrived += sent.arrived;
          more = sent.arrived > 0 && sent.failed === undefined;
        }
      }
    }
    return arrived;
  }

  /**
   * Sends the first batch of a lane.
   * @param most messages; fewer when they are large
   * @returns how many have arrived, and which could not be taken in
   * @throws {PlatformError} region.unavailable
   */
  async sendBatch(
    to: string,
    lane: number,
    most = BATCH_MOST,
  ): Promise<{ arrived: number; failed: Received['failed'] }> {
    const batch = cut(await waitingMessages(this.#deps.database.reader, to, lane, most));
    if (batch.length === 0) return { arrived: 0, failed: undefined };
    const answer = await this.#deps.peers.call(
      { region: to },
      {
        method: 'POST',
        path: '/internal/messages',
        body: { lane, messages: batch },
        timeoutMs: TIMEOUT_MS,
      },
    );
    if (answer.status !== 200) {
      const cause = new Error(`Messages were answered ${answer.status}: ${answer.bytes.toString()}`);
      throw new PlatformError('region.unavailable', { cause });
    }
    const { through, failed } = JSON.parse(answer.bytes.toString()) as Received;
    const arrived = await this.#deps.database.write((writer) => deleteArrived(writer, to, lane, through));
    return { arrived, failed };
  }

  #wakeAll(): void {
    for (const to of this.#deps.regions.others) for (let lane = 0; lane < LANES; lane++) this.#wake(to, lane);
  }

  #wake(to: string, number: number): void {
    // What is for a region that is none (any more) waits until there is one.
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
    // One that failed lately waits for its time, however much is added to it.
    else if (lane.cancelRetry === undefined) lane.run = this.#run(lane);
  }

  async #run(lane: Lane): Promise<void> {
    try {
      do {
        lane.again = false;
        for (let more = true; more && !this.#stopped && !this.#deps.maintenance.workPaused; ) {
          const { arrived, failed } = await this.sendBatch(lane.to, lane.lane);
          this.#answered(lane, failed);
          if (failed !== undefined) return;
          more = arrived > 0;
        }
      } while (lane.again && !this.#stopped && !this.#deps.maintenance.workPaused);
    } catch (error) {
      this.#unanswered(lane, error);
    } finally {
      lane.run = undefined;
    }
  }

  #answered(lane: Lane, failed: Received['failed']): void {
    if (this.#silent.delete(lane.to)) this.#deps.log.info({ to: lane.to }, 'a region takes messages again');
    if (failed === undefined) {
      if (lane.failures > 0) this.#deps.log.info({ to: lane.to, lane: lane.lane }, 'a lane moves again');
      lane.failures = 0;
      return;
    }
    this.#retryLater(lane);
    const details = { to: lane.to, lane: lane.lane, ...failed, failures: lane.failures };
    if (lane.failures === 1) this.#deps.log.info(details, 'the other region puts off a message');
    else this.#deps.log.warn(details, 'a lane is stuck: the other region cannot take in its first message');
  }

  #unanswered(lane: Lane, error: unknown): void {
    this.#retryLater(lane);
    // Once for a region, however many lanes lead to it.
    if (this.#silent.has(lane.to)) return;
    this.#silent.add(lane.to);
    this.#deps.log.warn({ err: error, to: lane.to }, 'a region takes no messages; they wait');
  }

  #retryLater(lane: Lane): void {
    if (this.#stopped) return;
    const pause = Math.min(RETRY_FIRST_MS * 2 ** lane.failures, RETRY_MOST_MS);
    lane.failures++;
    lane.cancelRetry = this.#deps.timers.after(pause, () => {
      lane.cancelRetry = undefined;
      this.#wake(lane.to, lane.lane);
    });
  }
}

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
