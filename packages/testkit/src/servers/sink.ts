import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { ServerOptions } from 'node:https';
import { eventsIn, sawEvents } from '../evidence/evidence.ts';
import { type Receiver, startReceiver } from './receiver.ts';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  /** As they came: `headers` has no `__proto__`. */
  readonly rawHeaders: readonly string[];
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into deliveries freely
  readonly body: any;
}

/** What a sink does with a request: a status to answer, or nothing at all. */
export type Reaction = number | { status: number; body: string } | 'hang' | 'reset';

/** A webhook receiver on this machine that remembers what came, and answers what a test tells it to. */
export class Sink implements AsyncDisposable {
  readonly received: Received[] = [];
  react: (received: Received) => Reaction | Promise<Reaction> = () => 200;
  #receiver!: Receiver;
  #arrived = () => {};

  private constructor() {}

  /** @param tls its certificate, when it is to be reached by https */
  static async start(tls?: Pick<ServerOptions, 'cert' | 'key'>): Promise<Sink> {
    const sink = new Sink();
    sink.#receiver = await startReceiver((...taken) => sink.#take(...taken), { tls });
    return sink;
  }

  get port(): number {
    return this.#receiver.port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  /** Resolves when so many deliveries have come in all. */
  async count(many: number): Promise<readonly Received[]> {
    while (this.received.length < many) {
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
    }
    return this.received;
  }

  stop(): Promise<void> {
    return this.#receiver.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #take(request: IncomingMessage, bytes: Buffer, response: ServerResponse): Promise<void> {
    const text = bytes.toString('utf8');
    const { headers, rawHeaders } = request;
    const received = { headers, rawHeaders, text, body: parsed(text) };
    sawEvents(eventsIn(text));
    const decided = this.react(received);
    this.received.push(received);
    this.#arrived();
    const reaction = decided instanceof Promise ? await decided : decided;
    if (reaction === 'reset') request.socket.destroy();
    else if (reaction !== 'hang') {
      const { status, body } = typeof reaction === 'number' ? { status: reaction, body: '' } : reaction;
      response.writeHead(status, { location: '/elsewhere' }).end(body);
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
