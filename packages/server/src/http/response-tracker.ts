import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { type Timers, timeLimit } from '../core/timers.ts';
import { isHandedOver, socketOf, streamOf } from './secure-server.ts';

/** What depends on whether a response arrives: exactly one of the two is called, once. */
export interface Outcome {
  confirm(): Promise<void>;
  release(): Promise<void>;
}

/**
 * How long silence must last after the last byte was handed over. A peer that is gone answers that byte with a reset, one
 * round trip later. When the byte is lost it is sent again after one second and once more two seconds later (RFC 6298):
 * five seconds leave time for the answer to the second repetition.
 */
export const QUIET_MS = 5_000;
/** A peer that takes no byte for this long is taken for gone. */
const STALLED_MS = 60_000;

interface Deps {
  readonly timers: Timers;
  readonly log: FastifyBaseLogger;
}

/**
 * Concludes from silence that a response arrived, for clients that do not say so. Phases:
 * 1. sending: a socket that ends before 'finish' breaks the response; 2. handed over: 'finish' says that the kernel took
 * the bytes, or a proxy's kernel. A reset now still breaks the response; 3. arrived: shown by the next request of the same
 * kind that began after that, by an orderly end of the connection, or by silence. Any other request on the socket tells
 * nothing: proxies share connections among their clients. The connection stays open until then, for on a closed one a
 * reset is not seen.
 *
 * Over HTTP/2 a connection carries many responses and is not closed after one. There a ping follows the silence: frames keep
 * their order, so a peer that answers it has the response.
 */
export class ResponseTracker {
  readonly #deps: Deps;
  /** By kind: what was handed over, and when in the order of events here. */
  readonly #handedOver = new Map<string, Map<() => void, number>>();
  /** Breaks what is open. */
  readonly #open = new Set<() => void>();
  /** When requests came; those that came while nothing was open are missing. */
  readonly #came = new WeakMap<IncomingMessage, number>();
  readonly #settling = new Set<Promise<void>>();
  /** Of what was handed over: how to close our side of its connection, and when it is known what became of it. */
  readonly #sent = new Set<{ readonly end: () => void; readonly settled: Promise<void> }>();
  #events = 0;
  #closing = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Learns of requests when they come: much may happen before a route sees them. */
  attach(server: Server): void {
    server.prependListener('request', (request) => {
      if (this.#open.size > 0) this.#came.set(request, ++this.#events);
    });
  }

  /** Whether it is not known yet what became of some response: its connection must stay open. */
  get isWaiting(): boolean {
    return this.#open.size > 0;
  }

  /**
   * Before the server closes. A client that has its response closes its side of the connection as soon as ours is closed,
   * so that little must be waited for; resolves when it is known what became of all that was handed over.
   */
  async end(): Promise<void> {
    this.#closing = true;
    const sent = [...this.#sent];
    for (const { end } of sent) end();
    await Promise.all(sent.map(({ settled }) => settled));
  }

  /** A request confirms the responses of its kind that were handed over before it came. */
  async confirmBefore(request: IncomingMessage, kind: string): Promise<void> {
    // A reset that came before the request is seen before it counts.
    await turn();
    const came = this.#came.get(request) ?? 0;
    for (const [confirm, at] of this.#handedOver.get(kind) ?? []) if (at < came) confirm();
  }

  /** Follows a response; call it last before that is written. */
  async watch(response: ServerResponse, kind: string, outcome: Outcome): Promise<void> {
    // Until the sockets have been polled once more: a peer that hung up meanwhile is then seen before it is written to.
    await turn();
    await turn();
    const socket = socketOf(response);
    const stream = streamOf(response);
    // A call that took too long was answered otherwise.
    if (socket === null || socket.destroyed || stream?.destroyed || response.headersSent)
      return this.#settle(outcome.release());
    const closeAfterwards = stream === undefined && !response.shouldKeepAlive;
    if (stream === undefined) response.shouldKeepAlive = true;
    const session = stream?.session;
    const outcomeKnown = Promise.withResolvers<void>();
    // Other streams go on.
    const ask = () => {
      if (session === undefined || session.destroyed) broke();
      else session.ping((error) => settle(error === null));
    };
    const end = () => (session === undefined ? socket.end() : ask());
    const handedOver = { end, settled: outcomeKnown.promise };
    let settled = false;
    let sent = false;
    let cancel = () => {};
    response.setTimeout(STALLED_MS);
    const settle = (arrived: boolean) => {
      if (settled) return;
      settled = true;
      cancel();
      this.#open.delete(broke);
      this.#sent.delete(handedOver);
      outcomeKnown.resolve();
      this.#forget(kind, confirm);
      socket.off('error', broke).off('end', ended).off('close', broke);
      this.#settle(arrived ? outcome.confirm() : outcome.release());
      if (closeAfterwards && sent) socket.destroySoon();
    };
    const confirm = () => settle(true);
    const broke = () => settle(false);
    const ended = () => settle(sent);
    this.#open.add(broke);
    // Before Node's own listener, which closes our side.
    socket.on('error', broke).prependListener('end', ended).on('close', broke);
    response.once('finish', () => {
      // A peer that has closed already never sees what was written to it.
      if (socket.readableEnded || socket.destroyed || (stream && !isHandedOver(stream))) return broke();
      sent = true;
      const ofKind = this.#handedOver.get(kind) ?? new Map();
      this.#handedOver.set(kind, ofKind.set(confirm, ++this.#events));
      // A process that was paused has yet to see the reset that came meanwhile.
      cancel = timeLimit(this.#deps.timers, QUIET_MS, session === undefined ? confirm : ask);
      this.#sent.add(handedOver);
      // The peer sees the end at once, and we still see a reset.
      if (closeAfterwards || this.#closing) end();
    });
    response.once('close', () => {
      if (!sent) broke();
    });
  }

  /** After the server has closed. Silence and a reset can no longer be distinguished, so what is open is released. */
  async stop(): Promise<void> {
    for (const broke of [...this.#open]) broke();
    while (this.#settling.size > 0) await Promise.all(this.#settling);
  }

  #forget(kind: string, confirm: () => void): void {
    const ofKind = this.#handedOver.get(kind);
    if (ofKind?.delete(confirm) && ofKind.size === 0) this.#handedOver.delete(kind);
  }

  #settle(outcome: Promise<void>): void {
    const settling: Promise<void> = outcome
      .catch((error: unknown) =>
        this.#deps.log.error({ err: error }, 'confirming or releasing a drained response failed'),
      )
      .finally(() => this.#settling.delete(settling));
    this.#settling.add(settling);
  }
}

/** To the end of this turn of the event loop. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
