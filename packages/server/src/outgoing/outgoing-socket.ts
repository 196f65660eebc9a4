import { connect, type Socket } from 'node:net';
import type { Client, Dispatcher } from 'undici';
import { InterimAnswers } from './interim-answers.ts';
import type { ResolvedAddress } from './resolver.ts';
import { errorText, type FailureReason, failureFrom, OutgoingFailure } from './result.ts';
import type { Target } from './target.ts';
import type { TlsClient } from './tls-client.ts';

/** Opens a TCP connection to one of these addresses. Tests replace it to lead public addresses to this machine. */
export type Dial = (addresses: readonly ResolvedAddress[], port: number) => Socket;

/**
 * How long one address may take when there is another to try: longer than a lost first packet (RFC 6298: 1 s), because
 * Node gives the attempt up before it starts the next.
 */
const ATTEMPT_MS = 1_500;

export const systemDial: Dial = (addresses, port) =>
  connect({
    host: 'already.resolved.invalid',
    port,
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
    lookup: (_host, _options, found) => found(null, [...addresses]),
  });

/**
 * How long an unused socket is kept when the server does not say, and the most when it does. Shorter than what servers
 * commonly keep (5 s and more), so that a request rarely meets a socket that is just being closed: such a request is
 * never sent again, because the server may have processed it.
 */
const KEEP_ALIVE_MS = 4_000;
const KEEP_ALIVE_MAX_MS = 10_000;
/** How much earlier than the server announced a socket is given up. */
const KEEP_ALIVE_MARGIN_MS = 1_000;

interface Deps {
  readonly library: Library;
  readonly target: Target;
  readonly dial: Dial;
  readonly tls: TlsClient;
  readonly maxHeaderBytes: number;
  readonly onClosed: (socket: OutgoingSocket) => void;
}

/** It is loaded for the first request, for it is large. */
export type Library = typeof import('undici');

/**
 * One connection to one origin, for one request at a time. It connects only to addresses that were checked for the
 * current request: when undici finds the kept-alive connection closed before it wrote a byte, it connects again, to the
 * addresses of that request and not of an earlier one.
 *
 * undici's own `Pool` does not replace the choice among these: it frees a connection only in the turn of the event loop
 * after the answer, so that every send that follows an answer at once opens a second connection.
 */
export class OutgoingSocket {
  readonly #deps: Deps;
  readonly #client: Client;
  readonly #interim = new InterimAnswers();
  #addresses: readonly ResolvedAddress[] = [];
  /** Set while it connects, and kept while it is connected. */
  #socket: Socket | undefined;
  /** The IP address it is connected to. */
  #address: string | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#client = new deps.library.Client(deps.target.origin, {
      connect: (_options, callback) => {
        this.#connect().then(
          (socket) => callback(null, socket),
          (error: unknown) => {
            this.#socket?.destroy();
            callback(failureFrom(error), null);
          },
        );
      },
      allowH2: false,
      pipelining: 1,
      maxHeaderSize: deps.maxHeaderBytes,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
      keepAliveTimeoutThreshold: KEEP_ALIVE_MARGIN_MS,
      // The sender bounds the time of the whole exchange.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.#client.on('disconnect', () => {
      this.#address = undefined;
      deps.onClosed(this);
    });
  }

  get origin(): string {
    return this.#deps.target.origin;
  }

  /** Whether it can carry another request: connected, and the last request wholly written. */
  get reusable(): boolean {
    const socket = this.#socket;
    if (socket === undefined || this.#address === undefined) return false;
    return !socket.destroyed && !socket.readableEnded && socket.writableLength === 0;
  }

  /** Whether it is connected to one of these. */
  leadsTo(addresses: readonly ResolvedAddress[]): boolean {
    return this.reusable && isAmong(addresses, this.#address);
  }

  dispatch(
    addresses: readonly ResolvedAddress[],
    request: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): void {
    this.#addresses = addresses;
    this.#interim.begin();
    this.#client.dispatch(request, handler);
  }

  /** Closes it at once, whatever it is doing. */
  destroy(): void {
    if (!this.#client.destroyed) this.#client.destroy(null, () => {});
    this.#socket?.destroy();
  }

  async #connect(): Promise<Socket> {
    const { target, dial, tls } = this.#deps;
    const addresses = this.#addresses;
    const raw = dial(addresses, target.port);
    this.#socket = raw;
    await once(raw, 'connect', 'connect');
    // Not expected to differ, but this is the last moment before bytes leave.
    const address = raw.remoteAddress;
    if (!isAmong(addresses, address)) {
      throw new OutgoingFailure('connect', `connected to an unexpected address ${address ?? ''}`);
    }
    if (target.secure) {
      const secured = tls.start(raw, target);
      this.#socket = secured;
      await once(secured, 'secureConnect', 'tls');
    }
    this.#address = address;
    this.#passOver(this.#socket);
    return this.#socket;
  }

  /** undici takes what arrives by `read`. */
  #passOver(socket: Socket): void {
    const read = socket.read.bind(socket);
    socket.read = (size?: number): unknown => {
      const piece: unknown = read(size);
      if (piece instanceof Uint8Array) this.#interim.pass(piece);
      return piece;
    };
  }
}

function isAmong(addresses: readonly ResolvedAddress[], address: string | undefined): boolean {
  for (const checked of addresses) if (checked.address === address) return true;
  return false;
}

/** Waits for an event; an error, or the end of the socket, before it is a failure. */
function once(socket: Socket, event: 'connect' | 'secureConnect', reason: FailureReason): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, resolve);
    socket.on('error', (error) => reject(new OutgoingFailure(reason, errorText(error))));
    socket.once('close', () => reject(new OutgoingFailure(reason, 'closed')));
  });
}
