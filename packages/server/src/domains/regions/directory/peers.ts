import type { Agent } from 'undici';
import type { Principal } from '../../../access/principal.ts';
import { timeLeft } from '../../../core/deadline.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { LargeSource } from '../../../core/large-text.ts';
import { timeLimit } from '../../../core/timers.ts';
import { bodyDigest } from '../../../http/signed-bodies.ts';
import type { Core } from '../../domain.ts';
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

export interface PeerAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

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
    if ((body ?? source) !== undefined) headers['content-type'] = 'application/json';
    if (source !== undefined) headers['content-length'] = String(source.bytes);
    const undici = await import('undici'); // large, and not needed in a platform without other regions
    const limit = new AbortController();
    const agent = this.#agentTo(to, undici);
    const { timers } = this.#deps;
    const { timeoutMs = WAIT_MOST_MS } = call;
    const patience = timeLeft(timeoutMs);
    let stopTimer = timeLimit(timers, patience, () => {
      // Other connections may have gone silent with this one: each would cost as much time.
      if (patience === timeoutMs) this.#forget(to, agent);
      limit.abort(new Error('no answer in time'));
    });
    try {
      const response = await undici.request(target.url, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        ...(source === undefined ? {} : { body: source.open() }),
        dispatcher: agent,
        signal: limit.signal,
      });
      stopTimer();
      stopTimer = timeLimit(timers, BODY_MS, () => limit.abort(new Error('the answer takes too long')));
      const bytes = Buffer.from(await response.body.arrayBuffer());
      return { status: response.statusCode, headers: flat(response.headers), bytes };
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
  readonly url: string;
  /** The path with the query as the other side sees it: spelled as it is sent, without a path of the base. */
  readonly signed: string;
}

function targetOf(base: string, path: string): Target {
  const { href, pathname, search } = new URL(`${base}${path}`);
  const prefix = new URL(base).pathname.replace(/\/$/, '');
  return { url: href, signed: `${pathname}${search}`.slice(prefix.length) };
}

/** Whether the other side refused the signature. */
function isSignatureRefused({ status, bytes }: PeerAnswer): boolean {
  return status === 401 && bytes.includes('"auth.invalid"');
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}
