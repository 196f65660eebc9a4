import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { stopping } from '../../../http/closing.ts';
import type { Handover } from '../../../http/handed-over.ts';
import type { Core } from '../../domain.ts';

/** In this header of an answer a region tells the front door under which name it waits for word. */
export const ANSWER_HEADER = 'x-symbolon-answer';
/** The front door gives up a caller that takes no byte after 5 seconds; others respect that an answer is under way for 15. */
const WORD_MOST_MS = 10_000;
/** Where every process of the region hears the word: the front door may reach another one. */
const CHANNEL = 'symbolon_relayed_answers';

/**
 * Answers that the front door passes on to their callers, of which this region must know whether they arrived. The front door
 * sends word when the last byte was handed to the caller's socket, or cannot be. Without word an answer has not arrived:
 * it may then be delivered twice, and is never lost.
 */
export class RelayedAnswers {
  readonly #deps: Pick<Core, 'database' | 'timers'>;
  readonly #waiting = new Map<string, (isDone: boolean) => void>();
  #unsubscribe = () => {};
  #ending = false;

  constructor(deps: Pick<Core, 'database' | 'timers'>) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    this.#unsubscribe = await this.#deps.database.subscribe(CHANNEL, (payload) => {
      const [name, isDone] = JSON.parse(payload) as [string, boolean];
      this.#waiting.get(name)?.(isDone);
    });
  }

  /**
   * The server is about to close. From now on no answer waits for word, since that could not come.
   * @returns whether word is still awaited
   */
  end(): boolean {
    this.#ending = true;
    return this.#waiting.size > 0;
  }

  /** What waits for word is taken for not arrived. */
  stop(): void {
    this.#unsubscribe();
    for (const settle of [...this.#waiting.values()]) settle(false);
  }

  /** @throws {PlatformError} platform.stopping, nothing is delivered then */
  follow(reply: FastifyReply, handover: Handover): void {
    if (this.#ending) {
      handover.failed();
      throw stopping();
    }
    const name = randomBytes(16).toString('base64url');
    const settle = (isDone: boolean) => {
      if (!this.#waiting.delete(name)) return;
      cancel();
      if (isDone) handover.done();
      else handover.failed();
    };
    const cancel = this.#deps.timers.after(WORD_MOST_MS, () => settle(false), { keepsAlive: true });
    this.#waiting.set(name, settle);
    reply.header(ANSWER_HEADER, name);
    const { raw } = reply;
    // The front door has not got all of it. A refusal may be what was sent.
    raw.once('close', () => {
      if (!raw.writableFinished || raw.statusCode >= 400) settle(false);
    });
  }

  /** Takes the word of the front door. */
  async heard(name: string, isDone: boolean): Promise<void> {
    await this.#deps.database.tell(CHANNEL, JSON.stringify([name, isDone]));
  }
}
