import type { OutgoingSocket } from './outgoing-socket.ts';
import type { ResolvedAddress } from './resolver.ts';

/** Open sockets without a request, at most `limit` of them: beyond it the one that is unused for longest is closed. */
export class SocketPool {
  readonly #limit: number;
  /** Per origin, the one used last at the end: it is taken first, so that surplus sockets stay unused and time out. */
  readonly #byOrigin = new Map<string, OutgoingSocket[]>();
  /** All of them, in the order in which they became unused. */
  readonly #unused = new Set<OutgoingSocket>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Hands out one that is connected to one of these addresses. */
  take(origin: string, addresses: readonly ResolvedAddress[]): OutgoingSocket | undefined {
    const socket = this.#byOrigin.get(origin)?.findLast((each) => each.leadsTo(addresses));
    if (socket !== undefined) this.remove(socket);
    return socket;
  }

  add(socket: OutgoingSocket): void {
    this.#unused.add(socket);
    const sockets = this.#byOrigin.get(socket.origin);
    if (sockets === undefined) this.#byOrigin.set(socket.origin, [socket]);
    else sockets.push(socket);
    if (this.#unused.size <= this.#limit) return;
    const [oldest] = this.#unused;
    if (oldest !== undefined) this.#close(oldest);
  }

  /** Does nothing when it is not here. */
  remove(socket: OutgoingSocket): void {
    if (!this.#unused.delete(socket)) return;
    const sockets = this.#byOrigin.get(socket.origin) ?? [];
    sockets.splice(sockets.lastIndexOf(socket), 1);
    if (sockets.length === 0) this.#byOrigin.delete(socket.origin);
  }

  closeAll(): void {
    for (const socket of this.#unused) this.#close(socket);
  }

  #close(socket: OutgoingSocket): void {
    this.remove(socket);
    socket.destroy();
  }
}
