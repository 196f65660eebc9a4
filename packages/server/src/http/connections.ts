import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { constants, type ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { networkOf } from '../core/ip-address.ts';
import { Shares } from '../core/shares.ts';
import { silentSocket, socketOf, streamOf } from './secure-server.ts';

export interface ConnectionLimits {
  /** Connections in all; 0: no limit. */
  readonly most: number;
  /** Connections of one address, of a /64 for IPv6; 0: no limit. */
  readonly perAddress: number;
}

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Connection {
  /** As it was accepted. */
  readonly accepted: Socket;
  /** What requests come on: over TLS another one, from the end of the handshake on. */
  socket: Socket;
  readonly network: string;
  /**
   * What is being read or answered: over HTTP/2 many at a time. No Map: the engine links each table that a Map outgrows or leaves to the
   * next, so that all tables of one that lives long stay, and are looked through, until a full collection.
   */
  readonly exchanges: Exchange[];
  /** Bytes that had arrived at the last look, while a body was being read; undefined when none was. */
  read: number | undefined;
  /** When its last answer ended, in the order of all of them; undefined while a request is being read or answered. */
  idleSince: number | undefined;
  /** How often it was looked at while nothing had been asked on it. */
  looks: number;
}

/** An answer of which the client takes nothing for so long is ended, and so is a connection on which nothing comes. */
const STALLED_MS = 60_000;
const LOOK_MS = 5_000;
/** Bodies that come slower, all of a connection together, are ended. */
const BYTES_LEAST = (LOOK_MS / 1000) * 8 * 1024;

/**
 * So often a connection may be found without a request before it is ended as unused. Between two looks all is read that has arrived: a
 * process that stood still when a call came on a new connection answers it.
 */
const LOOKS_UNUSED = 10;

interface Options {
  readonly overTls?: boolean;
  readonly stalledMs?: number;
  /** Called when an answer has ended, or its connection. @param ms since its request came */
  readonly answered?: (exchange: Exchange, ms: number) => void;
}

/**
 * Bounds what connections can hold: their number in all and for one address, where the one that has been idle longest
 * makes room for a new one, and the time of those whose body drips or whose answer is not taken.
 */
export class Connections {
  readonly #all = new Set<Connection>();
  /** By the socket that requests come on. */
  readonly #bySocket = new WeakMap<Socket, Connection>();
  /** By both addresses: nothing else says which accepted socket a TLS connection has under it. */
  readonly #handshakes = new Map<string, Connection>();
  /** Connections that became idle so far. */
  #ended = 0;
  readonly #shares: Shares;
  readonly #tooSlow: (socket: Socket) => void;
  readonly #stalledMs: number;
  readonly #overTls: boolean;
  readonly #answered: (exchange: Exchange, ms: number) => void;

  /** @param tooSlow answers on the socket of a request whose body drips, and closes it */
  constructor(
    server: Server,
    limits: ConnectionLimits,
    tooSlow: (socket: Socket) => void,
    { overTls = false, stalledMs = STALLED_MS, answered = () => {} }: Options = {},
  ) {
    this.#shares = new Shares({ perParty: limits.perAddress, inAll: limits.most });
    this.#tooSlow = tooSlow;
    this.#stalledMs = stalledMs;
    this.#overTls = overTls;
    this.#answered = answered;
    server.on('connection', (socket: Socket) => this.#enter(socket));
    if (overTls) server.prependListener('secureConnection', (socket: Socket) => this.#secured(socket));
    server.on('request', (request, response) => this.#begin(request, response));
    server.timeout = stalledMs;
    server.on('timeout', (silent: Socket | ServerHttp2Session) => this.#silent(silentSocket(silent)));
    // After what has arrived was read: a process that stood still for some seconds finds it all in its sockets.
    const timer = setInterval(() => setImmediate(() => this.look()), LOOK_MS).unref();
    server.once('close', () => clearInterval(timer));
  }

  /** Ends requests whose body came too slowly since the last look. */
  look(): void {
    for (const connection of this.#all) {
      const { socket, exchanges, read } = connection;
      // A body is not read before the caller is known, so no bytes arrive until then.
      const reading = exchanges.filter(
        ({ request }) => !request.complete && request.readableFlowing !== null,
      );
      connection.read = reading.length > 0 ? socket.bytesRead : undefined;
      if (reading.length === 0 || read === undefined || socket.bytesRead - read >= BYTES_LEAST) continue;
      for (const { request } of reading) {
        const stream = streamOf(request);
        if (stream === undefined) this.#tooSlow(socket);
        else stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
      }
    }
  }

  /**
   * Ends connections on which nothing was asked in several looks: browsers open some ahead of their requests. Node does not count those as
   * idle. Call it again and again, with turns of the event loop between.
   */
  endUnused(): void {
    for (const connection of this.#all) {
      const { accepted, socket, idleSince } = connection;
      const isUnused = socket.bytesRead === 0 || (this.#overTls && socket === accepted);
      if (idleSince !== undefined && isUnused && ++connection.looks > LOOKS_UNUSED) accepted.destroy();
    }
  }

  #enter(accepted: Socket): void {
    const network = networkOf(accepted.remoteAddress ?? '');
    const exceeded = this.#shares.exceeded(network);
    if (exceeded !== undefined) {
      const idle = this.#longestIdle(exceeded === 'party' ? network : undefined);
      if (idle === undefined) {
        accepted.destroy();
        return;
      }
      this.#leave(idle);
      idle.accepted.destroy();
    }
    this.#shares.take(network);
    const connection: Connection = {
      ...{ accepted, socket: accepted, network, exchanges: [], read: undefined, looks: 0 },
      idleSince: this.#ended++,
    };
    this.#all.add(connection);
    this.#bySocket.set(accepted, connection);
    const ends = this.#overTls ? endsOf(accepted) : undefined;
    if (ends !== undefined) this.#handshakes.set(ends, connection);
    accepted.once('close', () => {
      this.#leave(connection);
      if (ends !== undefined && this.#handshakes.get(ends) === connection) this.#handshakes.delete(ends);
    });
  }

  #secured(socket: Socket): void {
    const ends = endsOf(socket);
    const connection = this.#handshakes.get(ends);
    if (connection === undefined) return;
    this.#handshakes.delete(ends);
    connection.socket = socket;
    this.#bySocket.set(socket, connection);
  }

  #leave(connection: Connection): void {
    if (!this.#all.delete(connection)) return;
    this.#shares.giveBack(connection.network);
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#of(socketOf(request));
    if (connection === undefined) return;
    const { exchanges } = connection;
    const stream = streamOf(request);
    if (stream === undefined) exchanges.length = 0;
    else this.#watch(stream, response);
    const exchange = { request, response };
    exchanges.push(exchange);
    connection.read = undefined;
    connection.idleSince = undefined;
    const came = performance.now();
    response.once('close', () => {
      this.#answered(exchange, performance.now() - came);
      // A refused body may still be coming.
      const place = exchanges.indexOf(exchange);
      if (place < 0) return;
      if (exchanges.length === 1) connection.idleSince = this.#ended++;
      if (request.complete) exchanges.splice(place, 1);
    });
  }

  /** A stream may be stalled while others of its connection go on. */
  #watch(stream: NonNullable<ReturnType<typeof streamOf>>, response: ServerResponse): void {
    stream.setTimeout(this.#stalledMs);
    stream.on('timeout', () => {
      if (response.writableLength > 0) stream.close(constants.NGHTTP2_CANCEL);
    });
  }

  /** Nothing came or went for a while, also after an answer: Node counts both. An answer that is being made has time. */
  #silent(socket: Socket | undefined): void {
    const exchanges = this.#of(socket)?.exchanges;
    const isWorking = exchanges !== undefined && exchanges.length > 0 && socket?.writableLength === 0;
    if (!isWorking) socket?.destroy();
  }

  #of(socket: Socket | null | undefined): Connection | undefined {
    const connection = socket && this.#bySocket.get(socket);
    return connection && this.#all.has(connection) ? connection : undefined;
  }

  #longestIdle(network: string | undefined): Connection | undefined {
    let longest: Connection | undefined;
    for (const connection of this.#all) {
      if (connection.idleSince === undefined || (network !== undefined && connection.network !== network))
        continue;
      if (longest?.idleSince === undefined || connection.idleSince < longest.idleSince) longest = connection;
    }
    return longest;
  }
}

const endsOf = ({ localAddress, localPort, remoteAddress, remotePort }: Socket): string =>
  `${localAddress} ${localPort} ${remoteAddress} ${remotePort}`;
