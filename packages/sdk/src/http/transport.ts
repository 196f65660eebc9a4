import { parseRetryAfter } from '@symbolon/protocol/constants';
import { errorOfStatus, type SymbolonError, TransportError } from './errors.ts';
import type { OnProgress } from './progress.ts';
import { type RetryOptions, RetryPolicy } from './retry.ts';
import { type FetchResponse, type HeaderReader, type Runtime, runtimeWith } from './runtime.ts';

export type TransportOptions = {
  runtime?: Partial<Runtime> | undefined;
  retry?: RetryOptions | undefined;
  /** Time-out of one request, in milliseconds. Default 60000. */
  timeoutMs?: number | undefined;
};

/** One call of the platform's HTTP interface. */
export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Begins with `/`. */
  path: string;
  query?: Record<string, string | number | boolean | undefined> | undefined;
  json?: unknown;
  form?: Record<string, string> | undefined;
  /** A file as the whole body. */
  file?: { type: string; content: Uint8Array<ArrayBuffer> } | undefined;
  headers?: Readonly<Record<string, string>>;
  /** Default `application/json`. */
  accept?: string;
  /** Default: every method but POST. */
  idempotent?: boolean;
  /**
   * The platform deletes what it sends, so the response must be read to its end: the call is not repeated after a
   * transport failure, and a signal ends waiting but never a request in progress.
   */
  drain?: boolean;
  signal?: AbortSignal | undefined;
  /** Called with the bytes sent and received. */
  onProgress?: OnProgress | undefined;
};

/** A response with a 2xx status and its whole body. */
export type Answer = { status: number; headers: HeaderReader; bytes: Uint8Array<ArrayBuffer> };

/** A call whose response is read as it arrives. */
export type OpenCall = Pick<Call, 'path' | 'accept'> & { signal: AbortSignal };
export type OpenAnswer = { body: ReadableStream<Uint8Array> };

/** Sends calls, repeats those that were refused for a time, and turns every failure into a `SymbolonError`. */
export class Transport {
  readonly runtime: Runtime;
  readonly #retry: RetryOptions;
  readonly #timeoutMs: number;

  constructor(options: TransportOptions = {}) {
    this.runtime = runtimeWith(options.runtime);
    this.#retry = options.retry ?? {};
    this.#timeoutMs = options.timeoutMs ?? 60_000;
  }

  /**
   * @param base the URL that the path is appended to
   * @param token sent as `Authorization: Bearer`
   * @throws SymbolonError; the signal's reason when it aborts
   */
  async send(base: string, call: Call, token?: string): Promise<Answer> {
    const repeatable = call.method === 'GET' && !call.drain;
    const idempotent = call.idempotent ?? call.method !== 'POST';
    const retries = new RetryPolicy({ idempotent, repeatable }, this.#retry, this.runtime.random);
    for (;;) {
      call.signal?.throwIfAborted();
      try {
        return await this.#exchange(base, call, token);
      } catch (error) {
        const ms = retries.next(error);
        if (ms === undefined) throw error;
        await this.runtime.sleep(ms, call.signal);
      }
    }
  }

  /**
   * Opens a response that is read as it arrives, until its signal aborts. It is not repeated.
   *
   * @throws SymbolonError; the signal's reason when it aborts
   */
  async open(base: string, { path, accept, signal }: OpenCall, token?: string): Promise<OpenAnswer> {
    const call: Call = { method: 'GET', path, ...(accept === undefined ? {} : { accept }) };
    const { headers } = requestOf(call, token);
    let response: Awaited<ReturnType<Runtime['openStream']>>;
    let refused: Uint8Array | undefined;
    try {
      response = await this.runtime.openStream(base + path, { headers, signal, redirect: 'error' });
      if (!response.ok) refused = new Uint8Array(await response.arrayBuffer());
    } catch (cause) {
      signal.throwIfAborted();
      throw noResponse('sdk.transport', call, cause);
    }
    if (refused !== undefined) throw refusalOf(call, response, refused, this.runtime.now());
    if (response.body === null) throw noResponse('sdk.unexpected_answer', call, undefined);
    return { body: response.body };
  }

  async #exchange(base: string, call: Call, token: string | undefined): Promise<Answer> {
    const url = urlOf(base, call);
    const timeout = AbortSignal.timeout(this.#timeoutMs);
    const stoppable = call.signal && !call.drain;
    const signal = stoppable && call.signal ? AbortSignal.any([call.signal, timeout]) : timeout;
    let response: FetchResponse;
    let bytes: Uint8Array<ArrayBuffer>;
    try {
      // A redirect could send the token to an address that is not configured.
      response = await this.runtime.fetch(url, {
        ...requestOf(call, token),
        signal,
        redirect: 'error',
        onProgress: call.onProgress,
      });
      bytes = new Uint8Array(await response.arrayBuffer());
    } catch (cause) {
      if (stoppable) call.signal?.throwIfAborted();
      throw noResponse(timeout.aborted ? 'sdk.timeout' : 'sdk.transport', call, cause);
    }
    if (response.ok) return { status: response.status, headers: response.headers, bytes };
    throw refusalOf(call, response, bytes, this.runtime.now());
  }
}

/** The JSON of a response; `undefined` for an empty one. */
export function jsonOf(answer: Answer): unknown {
  if (answer.bytes.length === 0) return undefined;
  try {
    return JSON.parse(decoder.decode(answer.bytes));
  } catch {
    throw new TransportError({
      errorKey: 'sdk.unexpected_answer',
      message: 'The response of the platform is not JSON.',
      status: answer.status,
      requestId: requestIdOf(answer.headers),
    });
  }
}

function urlOf(base: string, call: Call): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(call.query ?? {})) {
    if (value !== undefined) query.set(name, String(value));
  }
  return query.size > 0 ? `${base}${call.path}?${query}` : base + call.path;
}

function requestOf(call: Call, token: string | undefined) {
  const headers: Record<string, string> = {
    ...call.headers,
    accept: call.accept ?? 'application/json',
  };
  if (token !== undefined) headers.authorization = `Bearer ${token}`;
  const init: { method: string; headers: typeof headers; body?: string | Uint8Array<ArrayBuffer> } = {
    method: call.method,
    headers,
  };
  if (call.form) {
    headers['content-type'] = 'application/x-www-form-urlencoded';
    init.body = new URLSearchParams(call.form).toString();
  } else if (call.json !== undefined) {
    headers['content-type'] = 'application/json';
    init.body = JSON.stringify(call.json);
  } else if (call.file) {
    headers['content-type'] = call.file.type;
    init.body = call.file.content;
  }
  return init;
}

function noResponse(errorKey: string, { method, path }: Call, cause: unknown): TransportError {
  const message = `${method} ${path} got no response: ${reasonOf(cause)}`;
  return new TransportError({ errorKey, message, cause });
}

function refusalOf(call: Call, response: FetchResponse, bytes: Uint8Array, now: number): SymbolonError {
  const body = parseObject(bytes);
  const { error, error_key: errorKey, error_description: description, ...details } = body ?? {};
  const known = typeof errorKey === 'string';
  const text = typeof description === 'string' ? description : typeof error === 'string' ? error : '';
  return errorOfStatus({
    errorKey: known ? errorKey : 'sdk.unexpected_answer',
    message: text || `${call.method} ${call.path} was answered ${response.status}.`,
    status: response.status,
    requestId: requestIdOf(response.headers),
    details,
    retryAfterMs: parseRetryAfter(response.headers.get('retry-after'), now) ?? secondsOf(details.retry_after),
  });
}

/** Milliseconds of a member that is a number of seconds. */
const secondsOf = (value: unknown) =>
  typeof value === 'number' && value >= 0 && value < 1e9 ? value * 1000 : undefined;

function parseObject(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(decoder.decode(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function requestIdOf(headers: HeaderReader): string | undefined {
  return headers.get('x-request-id') ?? undefined;
}

/** The code or text of the failure behind an error of fetch. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown failure';
  const inner: unknown = cause.cause;
  if (inner instanceof Error) return 'code' in inner ? String(inner.code) : inner.message;
  return cause.message;
}

const decoder = new TextDecoder();
