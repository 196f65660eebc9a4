import { createSecureContext, type SecureContext } from 'node:tls';
import { type Clock, systemClock } from '../core/clock.ts';
import { systemTimers, type Timers } from '../core/timers.ts';
import { AbortGroups } from './abort-groups.ts';
import { isPublicAddress } from './address.ts';
import { Connection } from './connection.ts';
import { type Dialer, systemDialer } from './dialer.ts';
import { Exchange } from './exchange.ts';
import { IdleConnections } from './idle-connections.ts';
import type { ResolvedAddress, Resolver } from './resolver.ts';
import {
  errorText,
  type Failed,
  type FailureReason,
  OutgoingFailure,
  type OutgoingResult,
} from './result.ts';
import { readTarget, type Target } from './target.ts';
import { TlsSessions } from './tls-sessions.ts';

export type { OutgoingResult } from './result.ts';

export interface OutgoingSenderOptions {
  resolver: Resolver;
  /** For development: also call this machine, see `checkTargetUrl`. */
  allowLoopback: boolean;
  /** From connecting to the last byte of the answer; finding the addresses of the host has as long again. */
  timeoutMs?: number;
  maxResponseBytes?: number;
  maxHeaderBytes?: number;
  /** Open connections that are kept though nothing is being sent over them, for all hosts together. */
  maxIdleConnections?: number;
  /** Certificates (PEM) to trust instead of those that come with Node: for tests. */
  ca?: string;
  clock?: Clock;
  timers?: Timers;
  dialer?: Dialer;
}

export interface OutgoingRequest {
  url: string;
  /** Default: POST. */
  method?: 'POST' | 'GET';
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}

const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 65_536;
const MAX_HEADER_BYTES = 16_384;
const MAX_IDLE_CONNECTIONS = 2_048;
/** Addresses taken apart once; all are forgotten when there are more. */
const MAX_TARGETS = 8_192;

/** A request under way. */
interface Sending {
  target: Target;
  request: OutgoingRequest;
  signal: AbortSignal | undefined;
  exchange: Exchange;
  connection: Connection | undefined;
  cancelTimeout: (() => void) | undefined;
}

/**
 * Calls addresses that others chose (webhooks, plugins) so that nobody can make the platform call what only the
 * platform can reach (wire 2.8, 2.9, 6.3):
 *
 * 1. The URL itself is checked, and its host is resolved anew for every request.
 * 2. One address that isn't public refuses the request, whatever the others are.
 * 3. The connection goes to one of those very addresses, new or kept alive; TLS is verified against the host's name.
 * 4. One request, one answer: no redirect, no proxy, no cookie, no second try. A connection that ends before the answer
 *    is a failure (`reset`), as the other side may have acted; who wants the request repeated has a queue for it.
 * 5. Time, header and body are bounded, so that no other side can hold more than its share.
 *
 * There is no bound on the requests at one time: that is the caller's to choose, for only the caller can be fair among
 * the many who share a host.
 */
export class OutgoingSender {
  readonly #resolver: Resolver;
  readonly #allowLoopback: boolean;
  readonly #timeoutMs: number;
  readonly #maxResponseBytes: number;
  readonly #maxHeaderBytes: number;
  readonly #ca: string | undefined;
  readonly #timers: Timers;
  readonly #dialer: Dialer;
  readonly #now: () => number;
  readonly #idle: IdleConnections;
  readonly #sessions: TlsSessions;
  readonly #targets = new Map<string, Target | string>();
  readonly #aborts = new AbortGroups<Exchange>((exchange) => exchange.fail(calledOff()));
  readonly #closed = (connection: Connection): void => {
    if (this.#idle.remove(connection)) connection.destroy();
  };
  #secureContext: SecureContext | undefined;
  #inFlight = 0;
  #stopped = false;
  #whenIdle: (() => void) | undefined;
  #stopping: Promise<void> | undefined;

  constructor(options: OutgoingSenderOptions) {
    const { clock = systemClock, maxIdleConnections = MAX_IDLE_CONNECTIONS } = options;
    this.#resolver = options.resolver;
    this.#allowLoopback = options.allowLoopback;
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    this.#maxResponseBytes = options.maxResponseBytes ?? MAX_RESPONSE_BYTES;
    this.#maxHeaderBytes = options.maxHeaderBytes ?? MAX_HEADER_BYTES;
    this.#ca = options.ca;
    this.#timers = options.timers ?? systemTimers;
    this.#dialer = options.dialer ?? systemDialer;
    this.#now = () => clock.now();
    this.#idle = new IdleConnections(maxIdleConnections);
    this.#sessions = new TlsSessions(maxIdleConnections);
  }

  /** Sends one request. Whatever the other side does is a result; it never rejects. */
  send(request: OutgoingRequest, signal?: AbortSignal): Promise<OutgoingResult> {
    const target = this.#target(request.url);
    const refusal = this.#refusal(request, signal);
    if (refusal !== undefined) return Promise.resolve(refusal);
    if (typeof target === 'string') return Promise.resolve(failed('address_refused', target));
    return new Promise((resolve) => {
      const exchange = new Exchange(this.#maxResponseBytes, this.#now, (result) => {
        this.#release(sending, result);
        resolve(result);
        if (this.#inFlight === 0) this.#whenIdle?.();
      });
      const sending: Sending = {
        target,
        request,
        signal,
        exchange,
        connection: undefined,
        cancelTimeout: undefined,
      };
      this.#inFlight++;
      if (signal !== undefined) this.#aborts.join(signal, exchange);
      if (target.addresses !== undefined) this.#dispatch(sending, target.addresses);
      else void this.#resolveAndDispatch(sending);
    });
  }

  /** Takes no more requests, lets those in flight end, closes every connection. */
  stop(): Promise<void> {
    this.#stopped = true;
    this.#stopping ??= new Promise<void>((resolve) => {
      this.#idle.clear();
      if (this.#inFlight === 0) resolve();
      else this.#whenIdle = resolve;
    });
    return this.#stopping;
  }

  #target(url: string): Target | string {
    const known = this.#targets.get(url);
    if (known !== undefined) return known;
    if (this.#targets.size >= MAX_TARGETS) this.#targets.clear();
    const target = readTarget(url, { allowLoopback: this.#allowLoopback });
    this.#targets.set(url, target);
    return target;
  }

  #refusal(request: OutgoingRequest, signal: AbortSignal | undefined): Failed | undefined {
    if (this.#stopped) return failed('aborted', 'the sender has stopped');
    if (signal?.aborted) return failed('aborted', CALLED_OFF);
    for (const name in request.headers) {
      // The host that was checked is the host that is named.
      if (name.length === 4 && name.toLowerCase() === 'host') {
        return failed('invalid', 'the host header cannot be chosen');
      }
    }
    return undefined;
  }

  async #resolveAndDispatch(sending: Sending): Promise<void> {
    const { exchange, target } = sending;
    this.#startTimeout(sending, 'dns', 'the host was not resolved in time');
    let addresses: readonly ResolvedAddress[];
    try {
      addresses = await this.#resolver.resolve(target.host);
    } catch (error) {
      exchange.fail(new OutgoingFailure('dns', errorText(error)));
      return;
    }
    if (exchange.settled) return;
    sending.cancelTimeout?.();
    if (addresses.length === 0) {
      exchange.fail(new OutgoingFailure('dns', 'the host has no address'));
    } else if (!addresses.every(({ address }) => isPublicAddress(address))) {
      // A name that others chose never leads to this machine, not even where calling it by its own name is allowed.
      exchange.fail(
        new OutgoingFailure('address_refused', 'the host resolves to an address that is not public'),
      );
    } else {
      this.#dispatch(sending, addresses);
    }
  }

  #dispatch(sending: Sending, addresses: readonly ResolvedAddress[]): void {
    const { exchange, target, request } = sending;
    this.#startTimeout(sending, 'timeout', 'no complete answer in time');
    const connection = this.#idle.take(target.origin, addresses) ?? this.#connection(target);
    sending.connection = connection;
    connection.dispatch(
      addresses,
      { path: target.path, method: request.method ?? 'POST', headers: request.headers, body: request.body },
      exchange,
    );
  }

  #connection(target: Target): Connection {
    if (target.secure)
      this.#secureContext ??= createSecureContext(this.#ca === undefined ? {} : { ca: this.#ca });
    return new Connection(
      target,
      {
        dialer: this.#dialer,
        secureContext: this.#secureContext,
        sessions: this.#sessions,
        maxHeaderBytes: this.#maxHeaderBytes,
      },
      this.#closed,
    );
  }

  #startTimeout(sending: Sending, reason: FailureReason, detail: string): void {
    sending.cancelTimeout = this.#timers.after(this.#timeoutMs, () => {
      sending.exchange.fail(new OutgoingFailure(reason, detail));
    });
  }

  #release({ exchange, connection, signal, cancelTimeout }: Sending, result: OutgoingResult): void {
    this.#inFlight--;
    cancelTimeout?.();
    if (signal !== undefined) this.#aborts.leave(signal, exchange);
    if (connection === undefined) return;
    // What the other side won't keep undici closes right after the answer; until it has, `reusable` tells.
    if (result.kind === 'answered' && !this.#stopped && connection.reusable) this.#idle.add(connection);
    else connection.destroy();
  }
}

const CALLED_OFF = 'called off by the caller';

function calledOff(): OutgoingFailure {
  return new OutgoingFailure('aborted', CALLED_OFF);
}

/** A failure before anything was tried. */
function failed(reason: FailureReason, detail: string): Failed {
  return { kind: 'failed', reason, detail, durationMs: 0 };
}
