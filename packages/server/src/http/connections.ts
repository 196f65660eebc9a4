import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../core/ip-address.ts';
import { Shares } from '../core/shares.ts';

export interface ConnectionLimits {
  /** Connections in all; 0: no limit. */
  readonly most: number;
  /** Connections of one address, of a /64 for IPv6; 0: no limit. */
  readonly perAddress: number;
}

interface Connection {
  readonly network: string;
  /** The request that is being read or answered. */
  request?: IncomingMessage | undefined;
  /** Bytes that had arrived at the last look, while a body was being read; undefined when none was. */
  read?: number | undefined;
}

/** An answer of which the client takes nothing for so long is ended, and so is a connection on which nothing comes. */
const STALLED_MS = 60_000;
const LOOK_MS = 5_000;
/** A body that comes slower is ended. */
const BYTES_LEAST = (LOOK_MS / 1000) * 8 * 1024;

/**
 * Bounds what connections can hold: their number in all and for one address, where the one that has been idle longest
 * makes room for a new one, and the time of those whose body drips or whose answer is not taken.
 */
export class Connections {
  readonly #all = new Map<Socket, Connection>();
  /** Without a request, the longest idle first. */
  readonly #idle = new Set<Socket>();
  readonly #shares: Shares;
  readonly #tooSlow: (socket: Socket) => void;

  /** @param tooSlow answers on the socket of a request whose body drips, and closes it */
  constructor(
    server: Server,
    limits: ConnectionLimits,
    tooSlow: (socket: Socket) => void,
    stalledMs = STALLED_MS,
  ) {
    this.#shares = new Shares({ perParty: limits.perAddress, inAll: limits.most });
    this.#tooSlow = tooSlow;
    server.on('connection', (socket: Socket) => this.#enter(socket));
    server.on('request', (request, response) => this.#begin(request, response));
    server.timeout = stalledMs;
    server.on('timeout', (socket: Socket) => this.#silent(socket));
    const timer = setInterval(() => this.look(), LOOK_MS).unref();
    server.once('close', () => clearInterval(timer));
  }

  /** Ends requests whose body came too slowly since the last look. */
  look(): void {
    for (const [socket, connection] of this.#all) {
      const { request, read } = connection;
      // A body is not read before the caller is known, so no bytes arrive until then.
      const isReading = request !== undefined && !request.complete && request.readableFlowing !== null;
      connection.read = isReading ? socket.bytesRead : undefined;
      if (isReading && read !== undefined && socket.bytesRead - read < BYTES_LEAST) this.#tooSlow(socket);
    }
  }

  #enter(socket: Socket): void {
    const network = networkOf(socket.remoteAddress ?? '');
    const exceeded = this.#shares.exceeded(network);
    if (exceeded !== undefined) {
      const idle = this.#longestIdle(exceeded === 'party' ? network : undefined);
      if (idle === undefined) {
        socket.destroy();
        return;
      }
      this.#leave(idle);
      idle.destroy();
    }
    this.#shares.take(network);
    this.#all.set(socket, { network });
    this.#idle.add(socket);
    socket.once('close', () => this.#leave(socket));
  }

  #leave(socket: Socket): void {
    const connection = this.#all.get(socket);
    if (connection === undefined) return;
    this.#all.delete(socket);
    this.#idle.delete(socket);
    this.#shares.giveBack(connection.network);
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection = this.#all.get(socket);
    if (connection === undefined) return;
    connection.request = request;
    connection.read = undefined;
    this.#idle.delete(socket);
    response.once('close', () => {
      // A refused body may still be coming.
      if (connection.request !== request || !this.#all.has(socket)) return;
      if (request.complete) connection.request = undefined;
      this.#idle.add(socket);
    });
  }

  /** Nothing came or went for a while, also after an answer: Node counts both. An answer that is being made has time. */
  #silent(socket: Socket): void {
    const isWorking = this.#all.get(socket)?.request !== undefined && socket.writableLength === 0;
    if (!isWorking) socket.destroy();
  }

  #longestIdle(network: string | undefined): Socket | undefined {
    for (const socket of this.#idle) {
      if (network === undefined || this.#all.get(socket)?.network === network) return socket;
    }
    return undefined;
  }
}
