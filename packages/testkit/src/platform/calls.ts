/** Requests with this header prepare a test: their success proves no route. */
export const PREPARATION_HEADER = 'x-test-preparation';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed JSON; undefined when there is none. */
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
    const headers: Record<string, string> = { ...call.headers };
    if (call.token !== undefined) headers.authorization = `Bearer ${call.token}`;
    const raw =
      typeof call.body === 'string' ||
      call.body instanceof URLSearchParams ||
      call.body instanceof Uint8Array;
    if (call.body !== undefined && !raw) headers['content-type'] ??= 'application/json';
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers,
      ...(call.signal && { signal: call.signal }),
      ...(call.body === undefined
        ? {}
        : {
            body: raw
              ? (call.body as string | URLSearchParams | Uint8Array<ArrayBuffer>)
              : JSON.stringify(call.body),
          }),
    });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    // It has no end; what it says is the matter of `listen` in event-stream.ts.
    if (isStream) await response.body?.cancel();
    const text = isStream ? '' : await response.text();
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {}
    return { status: response.status, headers: response.headers, text, body };
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  async must(method: string, path: string, call: Call = {}): Promise<any> {
    const headers = { ...call.headers, [PREPARATION_HEADER]: '1' };
    const answer = await this.call(method, path, { ...call, headers });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  }
}
