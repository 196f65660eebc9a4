import type { Readable } from 'node:stream';
import { context, propagation } from '@opentelemetry/api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Agent, Dispatcher } from 'undici';
import { PlatformError } from '../../../core/errors.ts';
import { loadedOnce } from '../../../core/loaded-once.ts';
import { followHandover } from '../../../http/handed-over.ts';
import type { Core } from '../../domain.ts';
import { baseOf } from '../directory/peer-base.ts';
import type { KeyPair } from '../directory/peer-keys.ts';
import { type Peers, regionUnavailable } from '../directory/peers.ts';
import { RELAY_HEADER, type RelayTokens } from '../directory/relay-tokens.ts';
import { ANSWER_HEADER } from '../directory/relayed-answers.ts';
import { REFUSED } from '../directory/trust-relay-headers.ts';

const library = loadedOnce(() => import('undici'));

/** A body as it came, or as it is coming. */
export type RelayedBody = Buffer | Readable | undefined;

const CONNECT_MS = 3_000;
/** Until an answer begins, from whatever region: it may have to make a document. */
const ANSWER_MS = 20_000;
/** Streams of events say something every 25 seconds. */
const SILENT_MS = 75_000;
/** A refusal that names another region is read, not passed on. */
const REFUSAL_BYTES_MOST = 64 * 1024;
/** Seconds after which a call that could not be sent twice may be repeated. */
const SOON = '1';

/** Headers that are about one connection (RFC 9110 7.6.1), or that a caller cannot say. */
const NOT_SENT: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'host',
  'forwarded',
  'x-real-ip',
]);
const NOT_PASSED_BACK: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'date',
]);

interface Deps extends Pick<Core, 'regions'> {
  readonly peers: Pick<Peers, 'call'>;
  readonly relayTokens: RelayTokens;
}

/**
 * Passes calls of pages on to regions and their answers back, with cookies and streams, so that a page speaks to its own
 * origin alone (wire 5.2).
 */
export class Relay {
  readonly #deps: Deps;
  #agent: Agent | undefined;
  readonly #underWay = new Set<AbortController>();
  /** Word to regions that is on its way. */
  readonly #words = new Set<Promise<unknown>>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Ends streams of events: their clients open new ones. */
  endStreams(): void {
    for (const stream of this.#underWay) stream.abort();
  }

  async stop(): Promise<void> {
    this.endStreams();
    await Promise.all(this.#words);
    await this.#agent?.destroy();
  }

  /**
   * Sends a call to a region, and its answer to the caller.
   * @param moved called when the region names another one, which is asked then
   * @throws {PlatformError} region.unavailable, request.not_found for an address that is spelled in a second way
   */
  async pass(
    request: FastifyRequest,
    reply: FastifyReply,
    { region, body, moved }: { region: string; body: RelayedBody; moved: () => void },
  ): Promise<FastifyReply> {
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const call = { request, body, signal: gone.signal };
    let from = region;
    let answer = await this.#send(region, call);
    if (answer.statusCode === 421) {
      moved();
      const next = await this.#regionIn(answer);
      if (next === undefined || next === region || isStream(body)) throw regionUnavailable(undefined, SOON);
      from = next;
      answer = await this.#send(next, call);
      if (answer.statusCode === 421) {
        await answer.body.dump();
        throw regionUnavailable(undefined, SOON);
      }
    }
    await this.#sendWord(from, reply, answer);
    return this.#passBack(reply, answer, gone);
  }

  /** As many connections as callers have here. */
  async #opened(): Promise<Agent> {
    const { Agent } = await library();
    this.#agent ??= new Agent({
      pipelining: 1,
      keepAliveTimeout: 30_000,
      connect: { timeout: CONNECT_MS },
      headersTimeout: ANSWER_MS,
      bodyTimeout: SILENT_MS,
    });
    return this.#agent;
  }

  async #send(region: string, call: Call): Promise<Dispatcher.ResponseData> {
    const [first, ...others] = this.#deps.relayTokens.pairsWith(region);
    let answer = await this.#sendSigned(region, call, first);
    // While keys are changed, a region may not have these any more, or not yet.
    for (const keys of others) {
      if (answer.headers[RELAY_HEADER] !== REFUSED || isStream(call.body)) break;
      await answer.body.dump();
      answer = await this.#sendSigned(region, call, keys);
    }
    if (answer.headers[RELAY_HEADER] !== REFUSED) return answer;
    await answer.body.dump();
    throw regionUnavailable(new Error('the region refuses the signature of the front door'));
  }

  async #sendSigned(
    region: string,
    { request, body, signal }: Call,
    keys: KeyPair | undefined,
  ): Promise<Dispatcher.ResponseData> {
    const base = this.#deps.regions.apiUrl(region);
    if (base === undefined) throw regionUnavailable();
    const { url, signed } = targetOf(base, request.url);
    const method = request.method as Dispatcher.HttpMethod;
    const headers = {
      ...sentHeaders(request, body),
      [RELAY_HEADER]: this.#deps.relayTokens.mint(region, { method, url: signed }, request.ip, keys),
    };
    propagation.inject(context.active(), headers);
    const agent = await this.#opened();
    return agent
      .request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers,
        body: body ?? null,
        signal,
      })
      .catch((cause: unknown) => {
        throw regionUnavailable(cause);
      });
  }

  /** The region that a refusal with 421 names. */
  async #regionIn({ body }: Dispatcher.ResponseData): Promise<string | undefined> {
    try {
      const { api_url } = JSON.parse((await readAll(body, REFUSAL_BYTES_MOST)).toString());
      return this.#deps.regions.names.find((name) => this.#deps.regions.apiUrl(name) === api_url);
    } catch {
      return undefined;
    }
  }

  /** Tells the region whether the answer was handed to the caller, where it waits for that. */
  async #sendWord(region: string, reply: FastifyReply, { headers }: Dispatcher.ResponseData): Promise<void> {
    const name = headers[ANSWER_HEADER];
    if (typeof name !== 'string') return;
    const send = (arrived: boolean) =>
      this.#deps.peers.call(
        { region },
        { method: 'POST', path: '/internal/relayed-answers', body: { name, arrived } },
      );
    const tell = (arrived: boolean) => {
      // Without word the region takes it for not arrived.
      const sent = send(arrived)
        .catch(() => send(arrived))
        .catch(() => {})
        .finally(() => this.#words.delete(sent));
      this.#words.add(sent);
    };
    await followHandover(reply.raw, { done: () => tell(true), failed: () => tell(false) });
  }

  async #passBack(
    reply: FastifyReply,
    answer: Dispatcher.ResponseData,
    gone: AbortController,
  ): Promise<FastifyReply> {
    const { statusCode, headers, body } = answer;
    reply.code(statusCode);
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined && isPassedBack(name)) reply.header(name, value);
    }
    if (reply.request.method === 'HEAD' || statusCode === 204 || statusCode === 304) {
      await body.dump();
      return reply.send();
    }
    if (String(headers['content-type']).startsWith('text/event-stream')) {
      this.#underWay.add(gone);
      gone.signal.addEventListener('abort', () => this.#underWay.delete(gone));
      // The client gets the headers of the stream before the first event.
      reply.raw.once('pipe', () => reply.raw.flushHeaders());
    }
    return reply.send(body);
  }
}

interface Call {
  readonly request: FastifyRequest;
  readonly body: RelayedBody;
  readonly signal: AbortSignal;
}

const isStream = (body: RelayedBody) => body !== undefined && !Buffer.isBuffer(body);

function sentHeaders({ headers }: FastifyRequest, body: RelayedBody): Record<string, string | string[]> {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const sent: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    // What HTTP/2 has instead of a request line begins with a colon.
    const isOurs = /^(:|x-symbolon-|x-forwarded-)/.test(name);
    if (value !== undefined && !isOurs && !NOT_SENT.has(name) && !named.includes(name)) sent[name] = value;
  }
  if (Buffer.isBuffer(body)) sent['content-length'] = String(body.length);
  else if (body === undefined) delete sent['content-length'];
  return sent;
}

/** The front door answers pages of other origins in its own way, and regions tell each other things in headers. */
function isPassedBack(name: string): boolean {
  return !NOT_PASSED_BACK.has(name) && !name.startsWith('access-control-') && !name.startsWith('x-symbolon-');
}

/** Where a call goes, and its path as the region sees it: without a path of the base. */
function targetOf(base: string, requestUrl: string): { url: URL; signed: string } {
  // A request target may name a host (RFC 9112 3.2.2). It must not decide where the call goes.
  const path = requestUrl.replace(/^https?:\/\/[^/]*/i, '');
  const url = new URL(`${base}${path}`);
  const { prefix } = baseOf(base);
  // `/api/person/../..` must not reach what is not passed on.
  if (url.pathname !== prefix + path.split('?', 1)[0]) throw new PlatformError('request.not_found');
  return { url, signed: `${url.pathname}${url.search}`.slice(prefix.length) };
}

/** @throws {PlatformError} request.too_large */
export async function readAll(stream: Readable, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) throw new PlatformError('request.too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
