import { Agent, type Dispatcher, request } from 'undici';

/** Requests with this header prepare a test: their success proves no route. */
export const PREPARATION_HEADER = 'x-test-preparation';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed JSON; undefined for another body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  readonly body: any;
}

export interface Call {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Gives the call up. */
  readonly signal?: AbortSignal;
}

/** Status and key of a refusal. */
export async function refusalOf(
  answer: Pick<Answer, 'status' | 'body'> | Promise<Pick<Answer, 'status' | 'body'>>,
) {
  const { status, body } = await answer;
  return [status, body?.error_key];
}

/** A platform as its callers know it, wherever it runs: in this process, as a process of its own, or at some address. */
export interface Callable {
  readonly url: string;
  /** One HTTP call; `body` goes as JSON unless it is text, form parameters or a file. */
  call(method: string, path: string, call?: Call): Promise<Answer>;
  /** Like `call`, and throws unless the answer is a 2xx: for the steps that lead to what is tested. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  must(method: string, path: string, call?: Call): Promise<any>;
}

/** The platform at an address. */
export class PlatformAt implements Callable {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  async call(method: string, path: string, call: Call = {}): Promise<Answer> {
    const headers: Record<string, string> = { 'user-agent': 'node', ...call.headers };
    if (call.token !== undefined) headers.authorization = `Bearer ${call.token}`;
    const sent = call.body === undefined ? undefined : bodyOf(call.body);
    if (sent !== undefined && sent.type !== undefined) headers['content-type'] ??= sent.type;
    const response = await request(`${this.url}${path}`, {
      method: method as Dispatcher.HttpMethod,
      headers,
      dispatcher: AGENT,
      ...(call.signal && { signal: call.signal }),
      ...(sent !== undefined && { body: sent.content }),
    });
    const answered = headersOf(response.headers);
    const isStream = answered.get('content-type')?.startsWith('text/event-stream') === true;
    // It has no end; what it says is the matter of `listen` in event-stream.ts.
    if (isStream) response.body.on('error', () => {}).destroy();
    const text = isStream ? '' : await response.body.text();
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {}
    return { status: response.statusCode, headers: answered, text, body };
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  async must(method: string, path: string, call: Call = {}): Promise<any> {
    const headers = { ...call.headers, [PREPARATION_HEADER]: '1' };
    const answer = await this.call(method, path, { ...call, headers });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  }
}

/** As many connections as there are calls at a time. `fetch` would take twice the work for each call. */
export const AGENT = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

/** Text and bytes go as they are; only what `fetch` would name has a media type of its own. */
function bodyOf(body: unknown): { content: string | Uint8Array; type?: string } {
  if (typeof body === 'string') return { content: body, type: 'text/plain;charset=UTF-8' };
  if (body instanceof Uint8Array) return { content: body };
  if (body instanceof URLSearchParams)
    return { content: body.toString(), type: 'application/x-www-form-urlencoded;charset=UTF-8' };
  return { content: JSON.stringify(body), type: 'application/json' };
}

export function headersOf(received: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(received))
    for (const value of [values ?? []].flat()) headers.append(name, value);
  return headers;
}
