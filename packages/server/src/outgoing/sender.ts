import { LRUCache } from 'lru-cache';
import { type Clock, systemClock } from '../core/clock.ts';
import { systemTimers, type Timers, timeLimit } from '../core/timers.ts';
import { isPublicAddress } from './address.ts';
import { Exchange } from './exchange.ts';
import { type Dial, type Library, OutgoingSocket, systemDial } from './outgoing-socket.ts';
import type { ResolvedAddress, Resolver } from './resolver.ts';
import {
  errorText,
  type Failed,
  type FailureReason,
  failureFrom,
  OutgoingFailure,
  type OutgoingResult,
} from './result.ts';
import { SocketPool } from './socket-pool.ts';
import { readTarget, type Target } from './target.ts';
import { TlsClient } from './tls-client.ts';

export type { OutgoingResult } from './result.ts';

export interface OutgoingSenderOptions {
  resolver: Resolver;
  /** For development: also call this machine, see `checkTargetUrl`. */
  allowLoopback: boolean;
  /** From connecting to the last byte of the answer; finding the addresses of the host, with waiting, has as long again. */
  timeoutMs?: number;
  maxResponseBytes?: number;
  /** A longer answer counts with its first bytes, and the connection is closed: for callers to whom the status says all. */
  cutsLongAnswers?: boolean;
  maxHeaderBytes?: number;
  /** Sockets that are kept open without a request, for all hosts together. */
  maxUnusedSockets?: number;
  /** Certificates (PEM) to trust instead of those that come with Node: for tests. */
  ca?: string;
  clock?: Clock;
  timers?: Timers;
  dial?: Dial;
}

export interface OutgoingRequest {
  url: string;
  /** Whose request it is, such as a company: look-ups of hosts are shared out by it. */
  party?: string;
  /** Default: POST. */
  method?: 'POST' | 'GET';
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
  /** Milliseconds for all of it, where that is less than the sender's own bounds. */
  mostMs?: number;
}

const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 65_536;
const MAX_HEADER_BYTES = 16_384;
const MAX_UNUSED_SOCKETS = 2_048;
/** URLs that are kept parsed and checked. */
const MAX_TARGETS = 8_192;

type Settings = Required<Omit<OutgoingSenderOptions, 'ca'>>;

/** A request in progress. */
interface Sending {
  readonly target: Target;
  readonly request: OutgoingRequest;
  readonly exchange: Exchange;
  socket: OutgoingSocket | undefined;
  /** What it is too late for when its time is over. */
  late: { readonly reason: FailureReason; readonly detail: string };
  cancelTimeout: (() => void) | undefined;
  cancelMost: (() => void) | undefined;
}

/**
 * Calls addresses that others chose (webhooks, plugins), and never one that only the platform can reach (wire 2.8, 2.9,
 * 6.3):
 *
 * 1. The URL itself is checked, and the addresses of its host are asked for, and checked, for every request.
 * 2. One address that is not public refuses the request, whatever the others are.
 * 3. The connection goes to one of those addresses, new or kept alive; TLS is verified against the name of the host.
 * 4. One request, one answer: no redirect, no proxy, no cookie, no second try. A connection that ends before the answer
 *    is a failure (`reset`), because the other side may have acted; a caller that wants a retry keeps a queue.
 * 5. Time, header and body are bounded, so that no server can hold more than its share.
 *
 * The number of requests at one time is not bounded here: only the caller can share it out fairly.
 */
export class OutgoingSender {
  readonly #settings: Settings;
  readonly #pool: SocketPool;
  #library: Library | undefined;
  readonly #tls: TlsClient;
  /** By URL; a text is the reason why it is refused. */
  readonly #targets = new LRUCache<string, { target: Target | string }>({ max: MAX_TARGETS });
  #inFlight = 0;
  #stopped = false;
  readonly #drained = Promise.withResolvers<void>();

  constructor({ ca, ...options }: OutgoingSenderOptions) {
    this.#settings = {
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      cutsLongAnswers: false,
      maxHeaderBytes: MAX_HEADER_BYTES,
      maxUnusedSockets: MAX_UNUSED_SOCKETS,
      clock: systemClock,
      timers: systemTimers,
      dial: systemDial,
      ...options,
    };
    const { maxUnusedSockets } = this.#settings;
    this.#pool = new SocketPool(maxUnusedSockets);
    this.#tls = new TlsClient({ ca, maxSessions: maxUnusedSockets });
  }

  /** Sends one request. Whatever the other side does is a result; the promise never rejects. */
  send(request: OutgoingRequest, signal?: AbortSignal): Promise<OutgoingResult> {
    const target = this.#target(request.url);
    const refusal = this.#refusal(request, signal);
    if (refusal !== undefined) return Promise.resolve(refusal);
    if (typeof target === 'string') return Promise.resolve(failed('address_refused', target));
    return new Promise((resolve) => {
      const { maxResponseBytes: maxBytes, cutsLongAnswers: cutsLong, clock, timers } = this.#settings;
      const abort = (): void => exchange.fail(new OutgoingFailure('aborted', ABORTED));
      const exchange = new Exchange({ maxBytes, cutsLong }, clock, (result) => {
        signal?.removeEventListener('abort', abort);
        this.#release(sending, result);
        resolve(result);
      });
      const { mostMs } = request;
      const sending: Sending = {
        target,
        request,
        exchange,
        socket: undefined,
        late: NO_ANSWER,
        cancelTimeout: undefined,
        cancelMost: mostMs === undefined ? undefined : timeLimit(timers, mostMs, () => failLate(sending)),
      };
      this.#inFlight++;
      signal?.addEventListener('abort', abort);
      if (target.addresses !== undefined) this.#dispatch(sending, target.addresses);
      else void this.#resolveAndDispatch(sending);
    });
  }

  /** Takes no more requests, lets those in flight end, closes every socket. */
  stop(): Promise<void> {
    this.#stopped = true;
    this.#pool.closeAll();
    if (this.#inFlight === 0) this.#drained.resolve();
    return this.#drained.promise;
  }

  #target(url: string): Target | string {
    let known = this.#targets.get(url);
    if (known === undefined) {
      known = { target: readTarget(url, this.#settings) };
      this.#targets.set(url, known);
    }
    return known.target;
  }

  #refusal(request: OutgoingRequest, signal: AbortSignal | undefined): Failed | undefined {
    if (this.#stopped) return failed('aborted', 'the sender has stopped');
    if (signal?.aborted) return failed('aborted', ABORTED);
    for (const name in request.headers) {
      // The host that was checked is the host that is named.
      if (name.length === 4 && name.toLowerCase() === 'host') {
        return failed('invalid', 'the host header cannot be chosen');
      }
    }
    return undefined;
  }

  async #resolveAndDispatch(sending: Sending): Promise<void> {
    const { exchange, target, request } = sending;
    this.#startTimeout(sending, NOT_RESOLVED);
    let addresses: readonly ResolvedAddress[];
    try {
      addresses = await this.#settings.resolver.resolve(target.host, request.party ?? '');
    } catch (error) {
      exchange.fail(new OutgoingFailure('dns', errorText(error)));
      return;
    }
    if (exchange.settled) return;
    sending.cancelTimeout?.();
    if (addresses.length === 0) {
      exchange.fail(new OutgoingFailure('dns', 'the host has no address'));
    } else if (!addresses.every(({ address }) => isPublicAddress(address))) {
      // A name never leads to this machine, even where development allows calls to this machine by its own name.
      exchange.fail(
        new OutgoingFailure('address_refused', 'the host resolves to an address that is not public'),
      );
    } else {
      this.#dispatch(sending, addresses);
    }
  }

  /** The first time; later requests need not wait a turn for it. */
  async #loadAndDispatch(sending: Sending, addresses: readonly ResolvedAddress[]): Promise<void> {
    try {
      this.#library = await import('undici');
    } catch (error) {
      sending.exchange.fail(failureFrom(error));
    }
    if (!sending.exchange.settled) this.#dispatch(sending, addresses);
  }

  #dispatch(sending: Sending, addresses: readonly ResolvedAddress[]): void {
    const library = this.#library;
    if (library === undefined) return void this.#loadAndDispatch(sending, addresses);
    const { exchange, target, request } = sending;
    this.#startTimeout(sending, NO_ANSWER);
    const socket = this.#pool.take(target.origin, addresses) ?? this.#newSocket(target, library);
    sending.socket = socket;
    socket.dispatch(
      addresses,
      { path: target.path, method: request.method ?? 'POST', headers: request.headers, body: request.body },
      exchange,
    );
  }

  #newSocket(target: Target, library: Library): OutgoingSocket {
    const { dial, maxHeaderBytes } = this.#settings;
    return new OutgoingSocket({
      library,
      target,
      dial,
      tls: this.#tls,
      maxHeaderBytes,
      onClosed: (socket) => this.#pool.remove(socket),
    });
  }

  #startTimeout(sending: Sending, late: Sending['late']): void {
    const { timers, timeoutMs } = this.#settings;
    sending.late = late;
    sending.cancelTimeout = timeLimit(timers, timeoutMs, () => failLate(sending));
  }

  #release({ socket, cancelTimeout, cancelMost }: Sending, result: OutgoingResult): void {
    cancelTimeout?.();
    cancelMost?.();
    if (socket !== undefined) {
      // What the server does not keep, undici closes right after the answer; until then `reusable` tells.
      const isWhole = result.kind === 'answered' && result.isCut !== true;
      if (isWhole && !this.#stopped && socket.reusable) this.#pool.add(socket);
      else socket.destroy();
    }
    if (--this.#inFlight === 0 && this.#stopped) this.#drained.resolve();
  }
}

const ABORTED = 'aborted by the caller';
const NOT_RESOLVED = { reason: 'dns', detail: 'the host was not resolved in time' } as const;
const NO_ANSWER = { reason: 'timeout', detail: 'no complete answer in time' } as const;

function failLate({ exchange, late }: Sending): void {
  exchange.fail(new OutgoingFailure(late.reason, late.detail));
}

/** A failure before anything was tried. */
function failed(reason: FailureReason, detail: string): Failed {
  return { kind: 'failed', reason, detail, durationMs: 0 };
}
