import type { IncomingHttpHeaders } from 'node:http';
import { type Receiver, startReceiver } from '../servers/receiver.ts';

export type Taken = { headers: IncomingHttpHeaders; body: Buffer; path: string };

/** A developer's endpoint: remembers what came, and answers what a test says. */
export class Endpoint implements AsyncDisposable {
  readonly taken: Taken[] = [];
  answer: () => { status: number; headers?: Record<string, string>; body?: string } = () => ({ status: 200 });
  #receiver!: Receiver;
  #arrived = Promise.withResolvers<void>();

  private constructor() {}

  static async start(tls?: { key: string; cert: string }): Promise<Endpoint> {
    const endpoint = new Endpoint();
    endpoint.#receiver = await startReceiver(
      ({ headers, url: path = '' }, body, response) => {
        endpoint.taken.push({ headers, body, path });
        endpoint.#arrived.resolve();
        endpoint.#arrived = Promise.withResolvers();
        const { status, headers: given = {}, body: text = '' } = endpoint.answer();
        response.writeHead(status, given).end(text);
      },
      { tls },
    );
    return endpoint;
  }

  get url(): string {
    return `${this.#receiver.url}?from=test`;
  }

  /** Resolves when so many requests have come in all. */
  async count(many: number): Promise<readonly Taken[]> {
    while (this.taken.length < many) await this.#arrived.promise;
    return this.taken;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#receiver.stop();
  }
}
