import { createHash } from 'node:crypto';
import { PlatformError } from '../../../core/errors.ts';
import type { Regions } from '../../../core/regions.ts';
import type { Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import { insertMessage, lockLane, lockMark, markOf, setMark, type WaitingMessage } from './store.ts';

/**
 * The queue to each region is split into lanes. Messages about one subject share a lane and keep their order; lanes do not
 * wait for one another.
 */
export const LANES = 16;

/** The kind of a message that an operator has emptied. */
export const SKIPPED = 'skipped';

/** Tells the senders that a lane has grown: the region and the lane, with a space between. */
export const MESSAGE_CHANNEL = 'symbolon_region_messages';

/** Something that another region must know. */
export interface RegionMessage {
  readonly kind: string;
  /** The id of the person or company it is about: messages about one subject arrive in the order in which they were sent. */
  readonly subject: string;
  /** Becomes JSON. */
  readonly body: unknown;
}

/** Applies a message in the transaction that records its arrival. */
export type MessageHandler = (
  writer: Writer,
  message: { readonly from: string; readonly subject: string; readonly body: unknown },
) => Promise<void>;

/**
 * Gets what a message needs before its transaction, and gives the body that is applied. It may run more than once.
 * @throws {PlatformError} region.unavailable: the message is tried again
 */
export type MessagePreparation = (message: {
  readonly from: string;
  readonly subject: string;
  readonly body: unknown;
}) => Promise<unknown>;

/** The last message of a lane that was applied; `failed` names the next one, which could not be applied. */
export interface Received {
  readonly through: number;
  /** Set when messages are missing that were applied here once: the region came back from a backup. Nothing was applied. */
  readonly behind?: boolean;
  readonly failed?: { readonly seq: number; readonly key: string };
}

interface Deps extends Pick<Core, 'clock' | 'database' | 'log'> {
  readonly regions: Pick<Regions, 'others'>;
}

/**
 * The queue between regions. A message is written in the transaction of the change that it tells of. At the other end, one
 * transaction applies it and raises the mark of its lane. So it is applied exactly once and in order, whatever crashes.
 */
export class MessageQueue {
  readonly #deps: Deps;
  readonly #handlers = new Map<
    string,
    { handler: MessageHandler; prepare: MessagePreparation | undefined }
  >();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.handle(SKIPPED, async () => {});
  }

  /**
   * Queues a message in the caller's transaction. Call it before the transaction raises events: transactions that lock
   * lanes first and feeds second do not deadlock.
   */
  async send(writer: Writer, to: string, message: RegionMessage): Promise<void> {
    const lane = laneOf(message.subject);
    // `seq` must grow in the order of the commits, because the receiver skips everything up to its mark.
    await lockLane(this.#deps.database.engine, writer, to, lane);
    await insertMessage(writer, {
      to_region: to,
      lane,
      kind: message.kind,
      subject: message.subject,
      body: JSON.stringify(message.body),
      at: this.#deps.clock.now(),
    });
    await this.#deps.database.notify(writer, MESSAGE_CHANNEL, `${to} ${lane}`);
  }

  /** Queues a message for every other region. */
  async sendToAll(writer: Writer, message: RegionMessage): Promise<void> {
    for (const to of [...this.#deps.regions.others].sort()) await this.send(writer, to, message);
  }

  /** Adds the handler for messages of a kind; call it before the process serves. */
  handle(kind: string, handler: MessageHandler, prepare?: MessagePreparation): void {
    if (this.#handlers.has(kind)) throw new Error(`Messages of kind ${kind} have a handler already.`);
    this.#handlers.set(kind, { handler, prepare });
  }

  /**
   * Applies messages of another region's lane in their order and skips those that were applied before. It stops at the
   * first message that fails; the sender sends again from there.
   * @param after through this one the messages were applied here, as the sender knows
   */
  async receive(
    from: string,
    lane: number,
    messages: readonly WaitingMessage[],
    after = 0,
  ): Promise<Received> {
    let through = await markOf(this.#deps.database.reader, from, lane);
    if (through < after) return { through, behind: true };
    for (const message of messages) {
      if (message.seq <= through) continue;
      try {
        through = await this.#apply(from, lane, message);
      } catch (error) {
        const key = error instanceof PlatformError ? error.key : 'internal';
        // Writes are paused, for the region or for a company that moves. This is no error and ends by itself.
        if (key !== 'db.writes_paused') {
          this.#deps.log.error(
            { err: error, from, lane, seq: message.seq, kind: message.kind },
            'region message failed: the message of another region could not be applied and blocks its queue',
          );
        }
        return { through, failed: { seq: message.seq, key } };
      }
    }
    return { through };
  }

  /** @returns the new mark of the lane */
  async #apply(from: string, lane: number, { seq, kind, subject, body }: WaitingMessage): Promise<number> {
    const known = this.#handlers.get(kind);
    if (known === undefined) throw new Error(`Messages of kind ${kind} are unknown here.`);
    const { handler, prepare } = known;
    const sent: unknown = JSON.parse(body);
    const parsed = prepare === undefined ? sent : await prepare({ from, subject, body: sent });
    return this.#deps.database.write(async (writer) => {
      const mark = await lockMark(this.#deps.database.engine, writer, from, lane);
      if (seq <= mark) return mark;
      await setMark(writer, from, lane, seq);
      await handler(writer, { from, subject, body: parsed });
      return seq;
    });
  }
}

export function laneOf(subject: string): number {
  return (createHash('sha256').update(subject).digest()[0] ?? 0) % LANES;
}
