import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export type Taken = { headers: IncomingHttpHeaders; body: Buffer; path: string };

/** A developer's endpoint: remembers what came, and answers what a test says. */
export class Endpoint implements AsyncDisposable {
  readonly taken: Taken[] = [];
  answer: () => { status: number; headers?: Record<string, string>; body?: string } = () => ({ status: 200 });
  readonly #server: Server;
  readonly #scheme: 'http' | 'https';
  #arrived = Promise.withResolvers<void>();

  private constructor(tls: { key: string; cert: string } | undefined) {
    const listener: RequestListener = (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { headers, url: path = '' } = request;
        this.taken.push({ headers, body: Buffer.concat(chunks), path });
        this.#arrived.resolve();
        this.#arrived = Promise.withResolvers();
        const { status, headers: given = {}, body = '' } = this.answer();
        response.writeHead(status, given).end(body);
      });
    };
    this.#server = tls ? createSecureServer(tls, listener) : createServer(listener);
    this.#scheme = tls ? 'https' : 'http';
  }

  static async start(tls?: { key: string; cert: string }): Promise<Endpoint> {
    const endpoint = new Endpoint(tls);
    await new Promise<void>((resolve) => endpoint.#server.listen(0, '127.0.0.1', resolve));
    return endpoint;
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook?from=test`;
  }

  /** Resolves when so many requests have come in all. */
  async count(many: number): Promise<readonly Taken[]> {
    while (this.taken.length < many) await this.#arrived.promise;
    return this.taken;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
