import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from './random.ts';

/** What a receiver may do with a delivery. */
export const behaviours = [
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
  'huge',
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

/** An endpoint of a webhook, which has good and bad times and remembers everything. */
export class Receiver {
  readonly #server: Server;
  readonly #random: Random;
  readonly #postTimeoutMs: number;
  readonly delivered: Delivered[] = [];
  /** Requests that were there while another had neither been answered nor given up. */
  readonly overlaps: { readonly at: number; readonly many: number }[] = [];
  /** From now on everything is answered 200. */
  healed = false;
  /** Decides instead of chance. */
  choose: (() => Behaviour) | undefined;
  #open = new Set<IncomingMessage>();
  #bad = false;
  #moodUntil = 0;

  private constructor(server: Server, random: Random, postTimeoutMs: number) {
    this.#server = server;
    this.#random = random;
    this.#postTimeoutMs = postTimeoutMs;
  }

  /** @param postTimeoutMs how long the platform waits for an answer */
  static async start(random: Random, postTimeoutMs: number): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server, random, postTimeoutMs);
    server.on('request', (request, response) => void receiver.#receive(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = performance.now();
    request.on('error', () => {});
    response.on('error', () => {});
    response.on('close', () => this.#open.delete(request));
    const others = [...this.#open];
    this.#open.add(request);
    if (others.length > 0) void this.#examineOverlap(others);
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const text = Buffer.concat(chunks).toString('utf8');
    if (!request.complete) return;
    const delivered: Delivered = {
      headers: request.headers,
      text,
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

  /** A connection whose other end is gone is told of in a turn of its own, perhaps after the next request. */
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
    case 'huge':
      response.writeHead(200);
      for (let sent = 0; sent < 100 && !response.destroyed; sent++) {
        response.write('x'.repeat(10_000));
        await pause(0);
      }
      response.end();
      break;
  }
}
