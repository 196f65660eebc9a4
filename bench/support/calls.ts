import { Pool } from 'undici';
import { OPERATOR_TOKEN } from './stack.ts';

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly token?: string | undefined;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** From the request to the last byte. */
  readonly ms: number;
}

/** A client with connections that stay open, whose calls are timed. */
export class Calls {
  readonly #pool: Pool;

  constructor(url: string) {
    this.#pool = new Pool(url, { connections: 64, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
  }

  /** Any answer, refusals too. */
  async send({ method, path, token, json, form }: Call): Promise<Answer> {
    const headers: Record<string, string> = {};
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    if (json !== undefined) headers['content-type'] = 'application/json';
    if (form !== undefined) headers['content-type'] = 'application/x-www-form-urlencoded';
    const body = form === undefined ? JSON.stringify(json) : new URLSearchParams(form).toString();
    const from = performance.now();
    const answer = await this.#pool.request({ method, path, headers, ...(body !== undefined && { body }) });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    return { status: answer.statusCode, text: bytes.toString('utf8'), ms: performance.now() - from };
  }

  /** @throws Error unless the answer is a 2xx */
  async must<Body = unknown>(call: Call): Promise<{ body: Body; ms: number }> {
    const { status, text, ms } = await this.send(call);
    if (status < 200 || status > 299) {
      throw new Error(`${call.method} ${call.path}: ${status} ${text.slice(0, 500)}`);
    }
    return { body: (text === '' ? undefined : JSON.parse(text)) as Body, ms };
  }

  get(path: string, token?: string) {
    return this.must<never>({ method: 'GET', path, token });
  }

  admin<Body = unknown>(method: Call['method'], path: string) {
    return this.must<Body>({ method, path, token: OPERATOR_TOKEN });
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}
