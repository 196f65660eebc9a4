import type { Dispatcher } from 'undici';
import type { Clock } from '../core/clock.ts';
import { type Answered, failureFrom, OutgoingFailure, type OutgoingResult } from './result.ts';

/** The most interim answers (1xx) before the final one. */
const MAX_INTERIM_ANSWERS = 16;

/**
 * Reads one answer and settles once: with the answer when its last byte is there, or with the first thing that went
 * wrong. undici reports what arrives; the sender calls `fail` when the time is over or the caller aborts.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #maxBytes: number;
  readonly #cutsLong: boolean;
  readonly #clock: Clock;
  readonly #settle: (result: OutgoingResult) => void;
  readonly #startedAt: number;
  #settled = false;
  #interim = 0;
  #status = 0;
  #retryAfter: string | undefined;
  #size = 0;
  #first: Uint8Array | undefined;
  #more: Uint8Array[] | undefined;

  constructor(
    { maxBytes, cutsLong }: { maxBytes: number; cutsLong: boolean },
    clock: Clock,
    settle: (result: OutgoingResult) => void,
  ) {
    this.#maxBytes = maxBytes;
    this.#cutsLong = cutsLong;
    this.#clock = clock;
    this.#settle = settle;
    this.#startedAt = clock.now();
  }

  get settled(): boolean {
    return this.#settled;
  }

  fail(failure: OutgoingFailure): void {
    this.#end({
      kind: 'failed',
      reason: failure.reason,
      detail: failure.message,
      durationMs: this.#duration(),
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#settled) controller.abort(new OutgoingFailure('aborted', 'settled before it was sent'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status >= 200) {
      this.#status = status;
      const retryAfter = headers['retry-after'];
      if (typeof retryAfter === 'string') this.#retryAfter = retryAfter;
    } else if (++this.#interim > MAX_INTERIM_ANSWERS) {
      this.fail(new OutgoingFailure('invalid', 'too many interim answers'));
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#settled) return;
    this.#size += chunk.length;
    if (this.#size > this.#maxBytes) {
      if (this.#cutsLong) this.#answered({ isCut: true });
      else this.fail(new OutgoingFailure('too_large', `the answer is larger than ${this.#maxBytes} bytes`));
    } else if (this.#first === undefined) {
      this.#first = chunk;
    } else {
      this.#more ??= [this.#first];
      this.#more.push(chunk);
    }
  }

  onResponseEnd(): void {
    this.#answered();
  }

  #answered(cut: Pick<Answered, 'isCut'> = {}): void {
    this.#end({
      kind: 'answered',
      status: this.#status,
      durationMs: this.#duration(),
      body: this.#more === undefined ? (this.#first ?? EMPTY) : Buffer.concat(this.#more),
      ...cut,
      ...(this.#retryAfter === undefined ? {} : { retryAfter: this.#retryAfter }),
    });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (!this.#settled) this.fail(failureFrom(error));
  }

  #duration(): number {
    return Math.max(0, this.#clock.now() - this.#startedAt);
  }

  #end(result: OutgoingResult): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#settle(result);
  }
}

const EMPTY = new Uint8Array(0);
