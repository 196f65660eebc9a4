import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import type { Timers } from '../core/timers.ts';
import { acknowledgedAll } from './unacknowledged.ts';

/** What hangs on a response: exactly one of the two happens, once. */
export interface Delivery {
  /** The response has arrived, as far as the transport can tell. */
  confirm(): Promise<void>;
  /** The response broke. */
  release(): Promise<void>;
}

/** How long a peer that went away has to say so, after the last byte was handed to the kernel. */
const GRACE_MS = 100;
/** A response up to this size leaves in one flight (RFC 6928); a larger one may stay in the kernel for long. */
const ONE_FLIGHT_BYTES = 14_000;
/** A peer that takes no byte for this long is taken for gone. */
const STALLED_MS = 60_000;

/**
 * Tells whether a response arrived. Phases:
 * 1. sending: a socket that ends before 'finish' breaks the delivery; 2. sent: 'finish' only says that the kernel took the
 * bytes. A peer that goes away with bytes unread makes its kernel answer with a reset, so an error now still breaks the
 * delivery, and so does an orderly close that leaves bytes unacknowledged; 3. arrived: told by the next request on the
 * socket, by the peer's close after it has acknowledged everything, or by silence for a while with nothing left to send.
 * The connection stays open until then, for on a closed one a reset is not seen.
 */
export class Deliveries {
  readonly #timers: Timers;
  readonly #log: FastifyBaseLogger;
  /** Confirms what was sent on a socket. */
  readonly #sent = new Map<Socket, Set<() => void>>();
  readonly #settling = new Set<Promise<void>>();

  constructor(deps: { timers: Timers; log: FastifyBaseLogger }) {
    this.#timers = deps.timers;
    this.#log = deps.log;
  }

  /** Learns of requests: one that follows on the same socket confirms what was sent before. */
  attach(server: Server): void {
    server.on('request', (request) => this.#confirmSent(request.socket));
  }

  /** Follows a response; call it last before that is written. */
  async watch(response: ServerResponse, delivery: Delivery): Promise<void> {
    // Until the sockets have been polled once more: a peer that hung up meanwhile is then seen before it is written to.
    await turn();
    await turn();
    const { socket } = response;
    if (socket === null || socket.destroyed) return this.#settle(delivery.release());
    const closeAfterwards = !response.shouldKeepAlive;
    response.shouldKeepAlive = true;
    let settled = false;
    let sent = false;
    let waited = 0;
    let cancel = () => {};
    const writtenBefore = socket.bytesWritten;
    response.setTimeout(STALLED_MS);
    const settle = (arrived: boolean) => {
      if (settled) return;
      settled = true;
      cancel();
      this.#forget(socket, confirm);
      socket.off('error', broke).off('end', ended).off('close', broke);
      this.#settle(arrived ? delivery.confirm() : delivery.release());
      if (closeAfterwards) socket.end();
    };
    const confirm = () => settle(true);
    const broke = () => settle(false);
    const wait = (ms: number) => {
      cancel = this.#timers.after(ms, () => {
        waited += ms;
        const large = socket.bytesWritten - writtenBefore > ONE_FLIGHT_BYTES;
        if (!large || acknowledgedAll(socket) !== false) confirm();
        else if (waited < STALLED_MS) wait(waited);
        else broke();
      });
    };
    const ended = () => settle(sent && acknowledgedAll(socket) !== false);
    // Before Node's own listener, which closes our side.
    socket.on('error', broke).prependListener('end', ended).on('close', broke);
    response.once('finish', () => {
      // A peer that has closed already never sees what was written to it.
      if (socket.readableEnded || socket.destroyed) return settle(false);
      sent = true;
      this.#remember(socket, confirm);
      wait(GRACE_MS);
    });
    response.once('close', () => {
      if (!sent) settle(false);
    });
  }

  /** Before the server closes its connections: cuts every grace short, and resolves when all is settled. */
  async settleSent(): Promise<void> {
    for (const socket of [...this.#sent.keys()]) this.#confirmSent(socket);
    await this.settled();
  }

  /** Resolves when nothing is about to be confirmed or released. */
  async settled(): Promise<void> {
    while (this.#settling.size > 0) await Promise.all(this.#settling);
  }

  #confirmSent(socket: Socket): void {
    const waiting = this.#sent.get(socket);
    if (waiting !== undefined) for (const confirm of [...waiting]) confirm();
  }

  #remember(socket: Socket, confirm: () => void): void {
    const waiting = this.#sent.get(socket) ?? new Set();
    this.#sent.set(socket, waiting.add(confirm));
  }

  #forget(socket: Socket, confirm: () => void): void {
    const waiting = this.#sent.get(socket);
    if (waiting?.delete(confirm) && waiting.size === 0) this.#sent.delete(socket);
  }

  #settle(outcome: Promise<void>): void {
    const settling: Promise<void> = outcome
      .catch((error: unknown) => this.#log.error({ err: error }, 'settling a delivery failed'))
      .finally(() => this.#settling.delete(settling));
    this.#settling.add(settling);
  }
}

/** To the end of this turn of the event loop. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
