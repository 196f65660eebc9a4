import type { Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls, type SecureContext } from 'node:tls';
import { type buildConnector, Client, type Dispatcher } from 'undici';
import type { Dialer } from './dialer.ts';
import type { ResolvedAddress } from './resolver.ts';
import { errorText, OutgoingFailure } from './result.ts';
import type { Target } from './target.ts';
import type { TlsSessions } from './tls-sessions.ts';

export interface ConnectionSettings {
  dialer: Dialer;
  secureContext: SecureContext | undefined;
  sessions: TlsSessions;
  maxHeaderBytes: number;
}

/**
 * How long an unused connection is kept when the other side doesn't say, and the most when it does. Shorter than what
 * servers commonly keep (5 s and more), so that a request rarely meets a connection that is just being closed: such a
 * request is never sent a second time, as nobody can tell whether it was processed.
 */
const KEEP_ALIVE_MS = 4_000;
const KEEP_ALIVE_MAX_MS = 10_000;
/** How much earlier than the other side announced a connection is given up. */
const KEEP_ALIVE_MARGIN_MS = 1_000;

/**
 * One connection to one origin, for one request at a time. It makes its TCP connection only to addresses that were
 * checked for the request at hand: should undici find the kept-alive socket closed before it wrote a byte, it connects
 * anew, and that goes to the addresses of that request, not of an earlier one.
 */
export class Connection {
  readonly origin: string;
  /** Its place among those without a request, kept by `IdleConnections`. */
  idle = false;
  older: Connection | undefined;
  newer: Connection | undefined;
  readonly #target: Target;
  readonly #options: ConnectionSettings;
  readonly #client: Client;
  #addresses: readonly ResolvedAddress[] = [];
  #address: string | undefined;
  #socket: Socket | undefined;
  #stopDialing: (() => void) | undefined;

  /** `onClosed` is told whenever the socket is gone. */
  constructor(target: Target, options: ConnectionSettings, onClosed: (connection: Connection) => void) {
    this.origin = target.origin;
    this.#target = target;
    this.#options = options;
    this.#client = new Client(target.origin, {
      connect: (_options, callback) => this.#connect(callback),
      allowH2: false,
      pipelining: 1,
      maxHeaderSize: options.maxHeaderBytes,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
      keepAliveTimeoutThreshold: KEEP_ALIVE_MARGIN_MS,
      // The whole exchange has one time bound, which the sender holds.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.#client.on('disconnect', () => {
      this.#socket = undefined;
      this.#address = undefined;
      onClosed(this);
    });
  }

  /** Whether it stands and leads to one of these. */
  leadsTo(addresses: readonly ResolvedAddress[]): boolean {
    if (!this.reusable) return false;
    for (const { address } of addresses) if (address === this.#address) return true;
    return false;
  }

  /** Whether it could carry another request: open, and the last one wholly written. */
  get reusable(): boolean {
    const socket = this.#socket;
    return socket !== undefined && !socket.destroyed && !socket.readableEnded && socket.writableLength === 0;
  }

  dispatch(
    addresses: readonly ResolvedAddress[],
    request: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): void {
    this.#addresses = addresses;
    this.#client.dispatch(request, handler);
  }

  /** Ends it at once, whatever it is doing. */
  destroy(): void {
    this.#stopDialing?.();
    this.#stopDialing = undefined;
    if (!this.#client.destroyed) this.#client.destroy(null, noop);
  }

  #connect(callback: buildConnector.Callback): void {
    const { dialer } = this.#options;
    this.#stopDialing = dialer.dial(this.#addresses, this.#target.port, (error, socket, address) => {
      this.#stopDialing = undefined;
      if (socket === undefined || address === undefined) {
        callback(new OutgoingFailure('connect', errorText(error)), null);
      } else if (this.#target.secure) {
        this.#secure(socket, address, callback);
      } else {
        this.#established(socket, address, callback);
      }
    });
  }

  #secure(raw: Socket, address: string, callback: buildConnector.Callback): void {
    const { secureContext, sessions } = this.#options;
    const { host, origin, addresses } = this.#target;
    const options: ConnectionOptions = {
      socket: raw,
      host,
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true, // said, as an environment variable could turn the default off
      session: sessions.get(origin),
    };
    if (secureContext !== undefined) options.secureContext = secureContext;
    // SNI carries names only (RFC 6066 3); an address is verified through `host` alone.
    if (addresses === undefined || host === 'localhost') options.servername = host;
    const socket = connectTls(options);
    let done = false;
    const fail = (error?: Error): void => {
      if (done) return;
      done = true;
      this.#stopDialing = undefined;
      socket.destroy();
      callback(new OutgoingFailure('tls', error === undefined ? 'closed' : errorText(error)), null);
    };
    this.#stopDialing = () => {
      done = true;
      socket.destroy();
      raw.destroy();
    };
    socket.on('error', fail);
    socket.once('close', () => fail());
    socket.on('session', (session) => {
      // Node doesn't compare the name again when a session is resumed: only one that was verified may be kept.
      if (socket.authorized) sessions.set(origin, session);
    });
    socket.once('secureConnect', () => {
      if (done) return;
      done = true;
      this.#stopDialing = undefined;
      this.#established(socket, address, callback);
    });
  }

  #established(socket: Socket, address: string, callback: buildConnector.Callback): void {
    this.#socket = socket;
    this.#address = address;
    callback(null, socket);
  }
}

function noop(): void {}
