import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '@symbolon/testkit/platform/random';
import { type Receiver, startReceiver } from '@symbolon/testkit/servers/receiver';

/** What a receiver may do with a delivery. */
const behaviours = [
  'ok',
  'large ok',
  'trickled ok',
  'no content',
  'redirect',
  'error',
  'hang',
  'trickle on',
  'reset',
  'close early',
  'cut chunks',
  'huge ok',
] as const;
export type Behaviour = (typeof behaviours)[number];

const GOOD: readonly Behaviour[] = ['ok', 'ok', 'ok', 'ok', 'large ok', 'trickled ok'];
const BAD: readonly Behaviour[] = behaviours.filter((behaviour) => !behaviour.endsWith('ok'));

export interface Delivered {
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** Moment of the arrival, of `performance.now()`. */
  readonly at: number;
  readonly behaviour: Behaviour;
  /** When the last byte of a 200 was handed over; undefined: it never was. */
  acceptedAt: number | undefined;
  /** Whether the answer came so late that the platform may have given it up. */
  late: boolean;
}

/** An endpoint of webhooks, which has good and bad times and remembers everything. */
export class MoodyReceiver {
  #receiver!: Receiver;
  readonly #random: Random;
  readonly #postTimeoutMs: number;
  readonly delivered: Delivered[] = [];
  /** Requests that were there while another had neither been answered nor given up. */
  readonly overlaps: { readonly at: number; readonly many: number }[] = [];
  /** From now on everything is answered 200. */
  healed = false;
  /** Decides instead of chance. */
  choose: (() => Behaviour) | undefined;
  /** Since when each request is there. */
  readonly #open = new Map<IncomingMessage, number>();
  #bad = false;
  #moodUntil = 0;

  private constructor(random: Random, postTimeoutMs: number) {
    this.#random = random;
    this.#postTimeoutMs = postTimeoutMs;
  }

  /** @param postTimeoutMs how long the platform waits for an answer */
  static async start(random: Random, postTimeoutMs: number): Promise<MoodyReceiver> {
    const moody = new MoodyReceiver(random, postTimeoutMs);
    moody.#receiver = await startReceiver((...taken) => void moody.#take(...taken), {
      begins: (...request) => moody.#begins(...request),
    });
    return moody;
  }

  get url(): string {
    return this.#receiver.url;
  }

  stop(): Promise<void> {
    return this.#receiver.stop();
  }

  #begins(request: IncomingMessage, response: ServerResponse): void {
    response.on('close', () => this.#open.delete(request));
    const others = [...this.#open.keys()];
    this.#open.set(request, performance.now());
    if (others.length > 0) void this.#examineOverlap(others);
  }

  async #take(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const at = this.#open.get(request) ?? performance.now();
    const delivered: Delivered = {
      headers: request.headers,
      text: body.toString('utf8'),
      at,
      behaviour: this.#behave(),
      acceptedAt: undefined,
      late: false,
    };
    this.delivered.push(delivered);
    if (delivered.behaviour.endsWith('ok')) {
      // 'finish' comes when the kernel has it all: a platform that lives reads it.
      response.once('finish', () => {
        delivered.acceptedAt = performance.now();
        delivered.late = delivered.acceptedAt - at > this.#postTimeoutMs / 2;
        this.#open.delete(request);
      });
      // Cut by the platform, which has counted it; or by the end of the platform.
      response.once('close', () => {
        if (delivered.behaviour !== 'huge ok' || delivered.acceptedAt !== undefined) return;
        delivered.acceptedAt = performance.now();
        delivered.late = true;
      });
    }
    await answer(delivered.behaviour, request, response);
  }

  #behave(): Behaviour {
    if (this.choose !== undefined) return this.choose();
    if (this.healed) return 'ok';
    const now = performance.now();
    if (now > this.#moodUntil) {
      this.#bad = this.#random.chance(0.4);
      this.#moodUntil = now + this.#random.whole(100, this.#bad ? 700 : 1500);
    }
    if (this.#bad) return this.#random.pick(BAD);
    return this.#random.chance(0.01) ? this.#random.pick(behaviours) : this.#random.pick(GOOD);
  }

  /** The loss of the other end of a connection is reported in a turn of its own, perhaps after the next request. */
  async #examineOverlap(others: readonly IncomingMessage[]): Promise<void> {
    for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate);
    const still = others.filter((other) => this.#open.has(other) && !other.socket.destroyed);
    if (still.length > 0) this.overlaps.push({ at: performance.now(), many: still.length + 1 });
  }
}

async function answer(behaviour: Behaviour, request: IncomingMessage, response: ServerResponse) {
  switch (behaviour) {
    case 'ok':
      response.end();
      break;
    case 'large ok':
      response.end('x'.repeat(60_000));
      break;
    case 'trickled ok':
      response.writeHead(200, { 'content-length': 6 });
      for (const character of 'thanks'.slice(0, -1)) {
        response.write(character);
        await pause(5);
      }
      response.end('s');
      break;
    case 'no content':
      response.writeHead(204).end();
      break;
    case 'redirect':
      response.writeHead(302, { location: '/elsewhere' }).end();
      break;
    case 'error':
      response.writeHead(500).end('no');
      break;
    case 'hang':
      break;
    case 'trickle on':
      response.writeHead(200);
      while (!response.destroyed) {
        response.write('.');
        await pause(50);
      }
      break;
    case 'reset':
      request.socket.resetAndDestroy();
      break;
    case 'close early':
      response.writeHead(200, { 'content-length': 100 });
      response.write('not all of it');
      setImmediate(() => request.socket.destroy());
      break;
    case 'cut chunks':
      response.writeHead(200);
      response.write('a chunk and no end');
      setImmediate(() => request.socket.destroy());
      break;
    case 'huge ok':
      response.writeHead(200);
      for (let sent = 0; sent < 100 && !response.destroyed; sent++) {
        response.write('x'.repeat(10_000));
        await pause(0);
      }
      response.end();
      break;
  }
}
