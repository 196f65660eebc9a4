import type { AdminMessage, AdminMessageTry, AdminMessageWithBody } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { Core } from '../../domain.ts';
import type { OperatorActs } from '../../operations/index.ts';
import { LANES, SKIPPED } from './message-queue.ts';
import type { MessageSender } from './message-sender.ts';
import { COUNTED_MOST, emptyMessage, type HeadOfLane, headOf, laneOfMessage, waitingIn } from './store.ts';

interface Deps extends Pick<Core, 'database' | 'regions'> {
  readonly acts: OperatorActs;
  /** Missing with one region. */
  readonly messageSender?: Pick<MessageSender, 'sendBatch'>;
}

/** What an operator does about a message that holds its lane, because the other region cannot apply it. */
export class HeldMessages {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The first message of each lane in which some wait. */
  async list(): Promise<AdminMessage[]> {
    const found: AdminMessage[] = [];
    for (const region of this.#deps.regions.others)
      for (let lane = 0; lane < LANES; lane++) {
        const head = await headOf(this.#deps.database.reader, region, lane);
        if (head !== undefined) found.push(await this.#shown(head));
      }
    return found;
  }

  /** @throws {PlatformError} admin.message_not_found, admin.message_not_first */
  async read(seq: number): Promise<AdminMessageWithBody> {
    const head = await this.#first(seq);
    return { ...(await this.#shown(head)), body: JSON.parse(head.body) };
  }

  /**
   * Sends it once more.
   * @throws {PlatformError} admin.message_not_found, admin.message_not_first, region.unavailable
   */
  async try(seq: number): Promise<AdminMessageTry> {
    const { to_region: to, lane } = await this.#first(seq);
    const sent = await this.#deps.messageSender?.sendBatch(to, lane, { most: 1 });
    return { arrived: sent === undefined || sent.arrived > 0, failed_key: sent?.failed?.key ?? null };
  }

  /**
   * Sends nothing in its place, so that those behind it arrive. What it said never does.
   * @param source the address of the operator
   * @throws {PlatformError} admin.message_not_found, admin.message_not_first
   */
  async skip(seq: number, source: string): Promise<void> {
    const { to_region: region, lane, kind, subject } = await this.#first(seq);
    await this.#deps.database.write(async (writer) => {
      // It may have arrived meanwhile.
      if ((await headOf(writer, region, lane))?.seq !== seq)
        throw new PlatformError('admin.message_not_found');
      await emptyMessage(writer, seq, SKIPPED);
      await this.#deps.acts.record(writer, {
        act: 'message.skipped',
        subject,
        details: { region, lane, seq, kind },
        source,
      });
    });
  }

  /** A message that is the first in its lane. */
  async #first(seq: number): Promise<HeadOfLane> {
    const { reader } = this.#deps.database;
    const place = await laneOfMessage(reader, seq);
    const head = place && (await headOf(reader, place.to_region, place.lane));
    if (head === undefined || head.seq > seq) throw new PlatformError('admin.message_not_found');
    if (head.seq < seq) throw new PlatformError('admin.message_not_first');
    return head;
  }

  async #shown({ seq, to_region: region, lane, kind, subject, at }: HeadOfLane): Promise<AdminMessage> {
    const { messages } = await waitingIn(this.#deps.database.reader, region, lane, COUNTED_MOST);
    return { seq, region, lane, kind, subject, created_at: isoTime(at), waiting: messages };
  }
}
