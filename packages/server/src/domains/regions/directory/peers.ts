import { context, propagation } from '@opentelemetry/api';
import type { Agent } from 'undici';
import type { Principal } from '../../../access/principal.ts';
import { timeLeft } from '../../../core/deadline.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { LargeSource } from '../../../core/large-text.ts';
import { loadedOnce } from '../../../core/loaded-once.ts';
import { timeLimit } from '../../../core/timers.ts';
import { bodyDigest } from '../../../http/signed-bodies.ts';
import type { Core } from '../../domain.ts';
import { baseOf } from './peer-base.ts';
import { type PeerAnswer, PeerExchange } from './peer-exchange.ts';
import type { KeyPair } from './peer-keys.ts';
import type { PeerTokens } from './peer-tokens.ts';

/** A region by its name, or the front door. */
export type PeerName = { readonly region: string } | 'front-door';

export interface PeerCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Begins with `/`; the query is part of it. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** JSON that is too large for memory, in place of `body`. */
  readonly source?: LargeSource | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** The caller that this region authenticated; without it the region calls for itself. */
  readonly actingFor?: Principal;
  /** Until the answer begins. Default 5 seconds. */
  readonly timeoutMs?: number;
}

export type { PeerAnswer } from './peer-exchange.ts';

/** How long a call waits for another region before it is refused. */
export const WAIT_MOST_MS = 5_000;
const CONNECT_MS = 3_000;
/** An answer that has begun: between two pieces of it, and until its end. */
const SILENT_BODY_MS = 5_000;
const BODY_MS = 60_000;
/** Seconds after which a call that another region did not answer may be repeated. */
const RETRY_AFTER = '5';
/** Answers are read into memory; none is larger than an upload. */
const ANSWER_BYTES_MOST = 64 * 1024 * 1024;

/** Large, and not needed in a platform without other regions. */
const library = loadedOnce(() => import('undici'));

interface Deps extends Pick<Core, 'regions' | 'timers'> {
  readonly frontDoorUrl: () => string | undefined;
  readonly tokens: PeerTokens;
}

/**
 * What a call is refused with that another region does not answer.
 * @param wait seconds after which it may be repeated
 */
export function regionUnavailable(cause?: unknown, wait = RETRY_AFTER): PlatformError {
  return new PlatformError('region.unavailable', { headers: { 'retry-after': wait }, cause });
}

/** Calls to other regions and to the front door: signed, bounded in time and size. */
export class Peers {
  readonly #deps: Deps;
  /** The connections to each. */
  readonly #agents = new Map<string, Agent>();
  /** With those of which the last requests are being answered. */
  readonly #open = new Set<Agent>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#open].map((agent) => agent.destroy()));
  }

  /**
   * Makes one call and returns its answer, whatever the status.
   * @throws {PlatformError} region.unavailable when there is no answer
   */
  async call(peer: PeerName, call: PeerCall): Promise<PeerAnswer> {
    const base = peer === 'front-door' ? this.#deps.frontDoorUrl() : this.#deps.regions.apiUrl(peer.region);
    if (base === undefined) throw regionUnavailable();
    const to = peer === 'front-door' ? 'front-door' : peer.region;
    const body = call.body === undefined ? undefined : Buffer.from(JSON.stringify(call.body));
    const sent = { ...call, to, target: targetOf(base, call.path), body };
    const [first, ...others] = this.#deps.tokens.pairsWith(to);
    let answer = await this.#send(sent, first);
    // While keys are changed, the other side may not have these any more, or not yet.
    for (const keys of others) if (isSignatureRefused(answer)) answer = await this.#send(sent, keys);
    return answer;
  }

  async #send(
    call: Omit<PeerCall, 'body'> & { to: string; target: Target; body: Buffer | undefined },
    keys: KeyPair | undefined,
  ): Promise<PeerAnswer> {
    const { method, to, target, body, source, actingFor } = call;
    const digest =
      source === undefined ? bodyDigest(body ?? '') : Buffer.from(source.sha256, 'hex').toString('base64url');
    const signed = { method, url: target.signed, body: digest };
    const headers: Record<string, string> = {
      accept: 'application/json',
      ...call.headers,
      authorization: `Bearer ${this.#deps.tokens.mint(to, signed, actingFor, keys)}`,
    };
    propagation.inject(context.active(), headers);
    if ((body ?? source) !== undefined) headers['content-type'] = 'application/json';
    if (source !== undefined) headers['content-length'] = String(source.bytes);
    const agent = this.#agentTo(to, await library());
    const exchange = new PeerExchange();
    const { timers } = this.#deps;
    const { timeoutMs = WAIT_MOST_MS } = call;
    const patience = timeLeft(timeoutMs);
    let stopTimer = timeLimit(timers, patience, () => {
      if (exchange.hasBegun) {
        stopTimer = timeLimit(timers, BODY_MS, () => exchange.fail(new Error('the answer takes too long')));
        return;
      }
      // Other connections may have gone silent with this one: each would cost as much time.
      if (patience === timeoutMs) this.#forget(to, agent);
      exchange.fail(new Error('no answer in time'));
    });
    try {
      const { origin, path } = target;
      agent.dispatch({ origin, path, method, headers, body: body ?? source?.open() ?? null }, exchange);
      return await exchange.answer;
    } catch (cause) {
      throw regionUnavailable(cause);
    } finally {
      stopTimer();
    }
  }

  #agentTo(peer: string, { Agent }: typeof import('undici')): Agent {
    const known = this.#agents.get(peer);
    if (known !== undefined) return known;
    const agent = new Agent({
      connections: 64,
      pipelining: 1,
      keepAliveTimeout: 30_000,
      maxResponseSize: ANSWER_BYTES_MOST,
      connect: { timeout: CONNECT_MS },
      headersTimeout: 0,
      bodyTimeout: SILENT_BODY_MS,
    });
    this.#agents.set(peer, agent);
    this.#open.add(agent);
    return agent;
  }

  /** Its requests end by themselves; no other is sent over its connections. */
  #forget(peer: string, agent: Agent): void {
    if (this.#agents.get(peer) === agent) this.#agents.delete(peer);
    agent.close().then(
      () => this.#open.delete(agent),
      () => this.#open.delete(agent),
    );
  }

  /**
   * Makes one call and returns the JSON of its answer.
   * @throws {PlatformError} region.unavailable without an answer, and for any status but 2xx
   */
  async ask<T>(peer: PeerName, call: PeerCall): Promise<T> {
    const answer = await this.call(peer, call);
    if (answer.status < 200 || answer.status > 299) {
      throw regionUnavailable(
        new Error(
          `${call.method} ${call.path} was answered ${answer.status}: ${answer.bytes.toString().slice(0, 500)}`,
        ),
      );
    }
    return (answer.bytes.length === 0 ? undefined : JSON.parse(answer.bytes.toString())) as T;
  }
}

interface Target {
  readonly origin: string;
  readonly path: string;
  /** The path with the query as the other side sees it: spelled as it is sent, without a path of the base. */
  readonly signed: string;
}

/** Paths that every program spells in one way. */
const PLAIN_PATH = /^(?:\/[\w-]+)+$/;

function targetOf(base: string, path: string): Target {
  const { origin, prefix } = baseOf(base);
  if (PLAIN_PATH.test(path)) return { origin, path: prefix + path, signed: path };
  const { pathname, search } = new URL(`${origin}${prefix}${path}`);
  return { origin, path: `${pathname}${search}`, signed: `${pathname}${search}`.slice(prefix.length) };
}

/** Whether the other side refused the signature. */
function isSignatureRefused({ status, bytes }: PeerAnswer): boolean {
  return status === 401 && bytes.includes('"auth.invalid"');
}
