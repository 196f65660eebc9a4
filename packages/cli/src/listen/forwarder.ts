import { type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { Problem } from '../problem.ts';

/** Headers by name and value in turn, as they came over the wire, and the bytes of the body. */
export type Post = { rawHeaders: readonly string[]; body: Uint8Array };

/** What became of a delivery here. */
export type Outcome =
  /** There is no endpoint: it is shown, and taken. */
  | { kind: 'shown' }
  | {
      kind: 'answered';
      status: number;
      durationMs: number;
      /** The platform had hung up before the answer was there. */
      tooLate: boolean;
    }
  | { kind: 'unreached'; reason: string; durationMs: number };

/** An address given on the command line; without a scheme it is http. @throws Problem */
export function endpointOf(text: string): URL {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `http://${text}`);
  if (url !== null && url.hostname !== '' && url.username === '' && url.password === '') return url;
  throw new Problem('--forward-to takes an address such as http://localhost:3000/hook.', { exitCode: 2 });
}

/** Hands deliveries on to the developer's endpoint: the same bytes, the same headers, one request each. */
export class Forwarder {
  readonly #url: URL;
  readonly #verify: boolean;
  readonly #stop = new AbortController();

  constructor(url: URL, options: { skipVerify?: boolean | undefined }) {
    this.#url = url;
    this.#verify = !options.skipVerify;
  }

  get address(): string {
    return this.#url.href;
  }

  /** Answers the platform with exactly what the endpoint answers; 502 when there is no answer. */
  async relay(post: Post, response: ServerResponse): Promise<Outcome> {
    const start = performance.now();
    const past = () => Math.round(performance.now() - start);
    try {
      const answer = await this.#send(post);
      const status = answer.statusCode ?? 502;
      const tooLate = response.destroyed;
      if (tooLate) answer.resume();
      else {
        response.writeHead(status, answer.statusMessage, endToEnd(answer.rawHeaders));
        await pipeline(answer, response);
      }
      return { kind: 'answered', status, durationMs: past(), tooLate };
    } catch (error) {
      const reason = reasonOf(error);
      const body = JSON.stringify({ error: `symbolon listen could not reach the endpoint: ${reason}` });
      if (response.headersSent) response.destroy();
      else response.writeHead(502, { 'content-type': 'application/json' }).end(body);
      return { kind: 'unreached', reason, durationMs: past() };
    }
  }

  /** The same, without waiting for the answer. */
  async post(post: Post): Promise<Outcome> {
    const start = performance.now();
    const past = () => Math.round(performance.now() - start);
    try {
      const answer = await this.#send(post);
      await answer.resume().toArray();
      return { kind: 'answered', status: answer.statusCode ?? 502, durationMs: past(), tooLate: false };
    } catch (error) {
      return { kind: 'unreached', reason: reasonOf(error), durationMs: past() };
    }
  }

  /** Gives up what is under way. */
  close(): void {
    this.#stop.abort();
  }

  #send({ rawHeaders, body }: Post): Promise<IncomingMessage> {
    const send = this.#url.protocol === 'https:' ? requestHttps : requestHttp;
    const headers = ['Host', this.#url.host, ...endToEnd(rawHeaders)];
    return new Promise((resolve, reject) => {
      // A connection of its own each time: an endpoint under development is restarted all the time.
      const options = { method: 'POST', headers, agent: false, rejectUnauthorized: this.#verify } as const;
      const request = send(this.#url, { ...options, signal: this.#stop.signal });
      request.once('response', resolve).once('error', reject);
      request.end(body);
    });
  }
}

/** Without what belongs to one connection (RFC 9110 7.6.1) and the name of the host, which is another. */
function endToEnd(rawHeaders: readonly string[]): string[] {
  const names = rawHeaders.filter((_, index) => index % 2 === 0);
  return names.flatMap((name, index) =>
    CONNECTION_HEADERS.has(name.toLowerCase()) ? [] : [name, rawHeaders[index * 2 + 1] ?? ''],
  );
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown failure';
  // Both addresses of a name refused: the first tells.
  const [first = error] = error instanceof AggregateError ? error.errors : [];
  return 'code' in first ? String(first.code) : String(first.message);
}

const CONNECTION_HEADERS = new Set([
  'connection',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
