import { type Call, PlatformAt } from '@symbolon/testkit/platform/calls';
import { Pool } from 'undici';
import { OPERATOR_TOKEN } from './stack.ts';

export interface TimedCall extends Call {
  readonly method: string;
  readonly path: string;
}

export interface TimedAnswer {
  readonly status: number;
  readonly text: string;
  /** From the request to the last byte. */
  readonly ms: number;
}

/** A client with connections that stay open, whose calls are timed. Actors of the kit may act through it. */
export class Calls extends PlatformAt {
  /** How long the last call took that was no refusal. */
  ms = Number.NaN;
  readonly #pool: Pool;

  constructor(url: string, connections = 64) {
    super(url);
    this.#pool = new Pool(url, { connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
  }

  /** Any answer, refusals too. */
  async send({ method, path, token, body: sent }: TimedCall): Promise<TimedAnswer> {
    const isForm = sent instanceof URLSearchParams;
    const headers: Record<string, string> = {};
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    if (sent !== undefined)
      headers['content-type'] = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
    const body = isForm ? sent.toString() : JSON.stringify(sent);
    const from = performance.now();
    const answer = await this.#pool.request({
      method: method as 'GET',
      path,
      headers,
      ...(body !== undefined && { body }),
    });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    const ms = performance.now() - from;
    return { status: answer.statusCode, text: bytes.toString('utf8'), ms };
  }

  /** @throws Error unless the answer is a 2xx */
  // biome-ignore lint/suspicious/noExplicitAny: benchmarks look into answers freely
  override async must(method: string, path: string, call: Call = {}): Promise<any> {
    const { status, text, ms } = await this.send({ ...call, method, path });
    if (status < 200 || status > 299) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 500)}`);
    this.ms = ms;
    return text === '' ? undefined : JSON.parse(text);
  }

  /** How long a call takes. */
  async time(...call: Parameters<Calls['must']>): Promise<number> {
    await this.must(...call);
    return this.ms;
  }

  /** How long a call of the operator takes. */
  admin(method: string, path: string): Promise<number> {
    return this.time(method, path, { token: OPERATOR_TOKEN });
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}
