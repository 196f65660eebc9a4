import type { Dispatcher } from 'undici';

export interface PeerAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/**
 * Reads one answer into memory, and settles once. undici's `request` makes a stream of every answer and a signal for every
 * call: these took more than all the rest of a short call.
 */
export class PeerExchange implements Dispatcher.DispatchHandler {
  readonly #outcome = Promise.withResolvers<PeerAnswer>();
  readonly #pieces: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #failure: Error | undefined;
  #status = 0;
  #headers: Readonly<Record<string, string>> = {};

  /** Rejects with what went wrong first. */
  get answer(): Promise<PeerAnswer> {
    return this.#outcome.promise;
  }

  /** Whether the answer has begun. */
  get hasBegun(): boolean {
    return this.#status !== 0;
  }

  /** Ends the call. */
  fail(failure: Error): void {
    this.#failure ??= failure;
    this.#controller?.abort(this.#failure);
    this.#outcome.reject(this.#failure);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#failure !== undefined) controller.abort(this.#failure);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    // Interim answers say nothing.
    if (status < 200) return;
    this.#status = status;
    this.#headers = flat(headers);
  }

  onResponseData(_controller: Dispatcher.DispatchController, piece: Buffer): void {
    this.#pieces.push(piece);
  }

  onResponseEnd(): void {
    const [first, ...more] = this.#pieces;
    const bytes = first !== undefined && more.length === 0 ? first : Buffer.concat(this.#pieces);
    this.#outcome.resolve({ status: this.#status, headers: this.#headers, bytes });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#outcome.reject(error);
  }
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const flattened: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    flattened[name] = Array.isArray(value) ? value.join(', ') : (value ?? '');
  }
  return flattened;
}
