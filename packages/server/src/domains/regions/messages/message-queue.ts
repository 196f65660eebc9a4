import { createHash } from 'node:crypto';
import { PlatformError } from '../../../core/errors.ts';
import type { Regions } from '../../../core/regions.ts';
import type { Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { MessageHandler, RegionMessage, RegionMessages } from './messages.ts';
import { insertMessage, lockLane, lockMark, markOf, setMark, type WaitingMessage } from './store.ts';

/** Messages of one subject share a lane, and a lane is a queue: lanes do not wait for one another. */
export const LANES = 16;

/** Tells the senders that a lane has grown: the region and the lane, with a space between. */
export const MESSAGE_CHANNEL = 'symbolon_region_messages';

/** How far a lane has come; `failed` names the message that could not be taken in, and with it all behind it. */
export interface Received {
  readonly through: number;
  readonly failed?: { readonly seq: number; readonly key: string };
}

interface Deps extends Pick<Core, 'clock' | 'database' | 'log'> {
  readonly regions: Pick<Regions, 'others'>;
}

/**
 * The queue between regions: a message is written in the transaction of what it tells, and taken in with a mark of how far
 * its lane has come, in one transaction at the other end. So it arrives once, and in order, whatever dies in between.
 */
export class MessageQueue implements RegionMessages {
  readonly #deps: Deps;
  readonly #handlers = new Map<string, MessageHandler>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Call it before the transaction raises events: so everybody takes lanes and feeds in one order. */
  async send(writer: Writer, to: string, message: RegionMessage): Promise<void> {
    const lane = laneOf(message.subject);
    // Places are taken in the order of the commits: the receiver never looks behind its mark.
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

  async sendToAll(writer: Writer, message: RegionMessage): Promise<void> {
    for (const to of [...this.#deps.regions.others].sort()) await this.send(writer, to, message);
  }

  handle(kind: string, handler: MessageHandler): void {
    if (this.#handlers.has(kind)) throw new Error(`Messages of kind ${kind} have a handler already.`);
    this.#handlers.set(kind, handler);
  }

  /**
   * Takes in a part of a lane of another region, in its order; what was taken in before is passed over. The first message
   * that fails ends it: the sender sends from there again.
   */
  async receive(from: string, lane: number, messages: readonly WaitingMessage[]): Promise<Received> {
    let through = await markOf(this.#deps.database.reader, from, lane);
    for (const message of messages) {
      if (message.seq <= through) continue;
      try {
        through = await this.#take(from, lane, message);
      } catch (error) {
        const key = error instanceof PlatformError ? error.key : 'internal';
        // Saving is paused, for all or for one company: that passes, and is nobody's fault.
        if (key !== 'db.writes_paused') {
          this.#deps.log.error(
            { err: error, from, lane, seq: message.seq, kind: message.kind },
            'a message of another region could not be taken in; its lane waits',
          );
        }
        return { through, failed: { seq: message.seq, key } };
      }
    }
    return { through };
  }

  /** Gives the mark of the lane as it is then. */
  async #take(from: string, lane: number, { seq, kind, subject, body }: WaitingMessage): Promise<number> {
    const handler = this.#handlers.get(kind);
    if (handler === undefined) throw new Error(`Messages of kind ${kind} are not known here.`);
    const parsed: unknown = JSON.parse(body);
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
