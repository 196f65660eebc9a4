import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The beginning of the path of every webhook that leads to a `symbolon listen`: by it an abandoned one is known. */
export const LISTEN_PATH = '/symbolon-listen/';

export type Incoming = {
  headers: IncomingMessage['headers'];
  rawHeaders: readonly string[];
  body: Uint8Array;
};

/** Takes deliveries on this machine, at a path that cannot be guessed. */
export class LocalReceiver {
  readonly #server: Server;
  readonly #path = `${LISTEN_PATH}${randomBytes(12).toString('hex')}`;

  private constructor(take: (incoming: Incoming, response: ServerResponse) => Promise<void>) {
    this.#server = createServer((request, response) => {
      this.#receive(request, response, take).catch(() => response.destroy());
    });
  }

  static async start(
    take: (incoming: Incoming, response: ServerResponse) => Promise<void>,
  ): Promise<LocalReceiver> {
    const receiver = new LocalReceiver(take);
    await new Promise<void>((resolve, reject) => {
      receiver.#server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${this.#path}`;
  }

  /** Lets what is in hand end, but not for long: the platform has its answer already, or will try again. */
  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    const impatience = setTimeout(() => this.#server.closeAllConnections(), GRACE_MS);
    await closed;
    clearTimeout(impatience);
  }

  async #receive(
    request: IncomingMessage,
    response: ServerResponse,
    take: (incoming: Incoming, response: ServerResponse) => Promise<void>,
  ): Promise<void> {
    if (request.url !== this.#path || request.method !== 'POST') {
      response.writeHead(404, { 'content-length': 0 }).end();
      return;
    }
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of request) {
      length += chunk.length;
      if (length > BODY_MOST) {
        response.writeHead(413, { connection: 'close', 'content-length': 0 }).end();
        return;
      }
      chunks.push(chunk);
    }
    const { headers, rawHeaders } = request;
    await take({ headers, rawHeaders, body: Buffer.concat(chunks, length) }, response);
  }
}

const GRACE_MS = 2000;
const BODY_MOST = 4 * 1024 * 1024;
