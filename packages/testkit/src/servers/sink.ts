import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { eventsIn, sawEvents } from '../evidence/evidence.ts';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  /** As they came: `headers` has no `__proto__`. */
  readonly rawHeaders: readonly string[];
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into deliveries freely
  readonly body: any;
}

/** What a sink does with a request: a status to answer, or nothing at all. */
export type Reaction = number | 'hang' | 'reset';

/** A webhook receiver on this machine that remembers what came, and answers what a test tells it to. */
export class Sink {
  readonly #server: Server;
  readonly received: Received[] = [];
  react: (received: Received) => Reaction | Promise<Reaction> = () => 200;
  #arrived = () => {};

  private constructor(server: Server) {
    this.#server = server;
  }

  /** @param tls its certificate, when it is to be reached by https */
  static async start(tls?: Pick<ServerOptions, 'cert' | 'key'>): Promise<Sink> {
    const server = tls === undefined ? createServer() : createTlsServer(tls);
    const sink = new Sink(server);
    server.on('request', (request, response) => {
      response.on('error', () => {});
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', async () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const received = {
          headers: request.headers,
          rawHeaders: request.rawHeaders,
          text,
          body: parsed(text),
        };
        sawEvents(eventsIn(text));
        const decided = sink.react(received);
        sink.received.push(received);
        sink.#arrived();
        const reaction = decided instanceof Promise ? await decided : decided;
        if (reaction === 'reset') request.socket.destroy();
        else if (reaction !== 'hang') response.writeHead(reaction, { location: '/elsewhere' }).end();
      });
      request.on('error', () => {});
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return sink;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
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

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
