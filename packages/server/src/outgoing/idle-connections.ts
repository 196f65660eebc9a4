import type { Connection } from './connection.ts';
import type { ResolvedAddress } from './resolver.ts';

/** Open connections without a request, at most `limit` of them: beyond it the longest unused one is closed. */
export class IdleConnections {
  readonly #limit: number;
  /** Per origin, the most lately used last: the others get a chance to end by themselves. */
  readonly #byOrigin = new Map<string, Connection[]>();
  /** All of them, the longest unused first. */
  readonly #all = new Set<Connection>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#all.size;
  }

  /** Hands out one that leads to one of these addresses. */
  take(origin: string, addresses: readonly ResolvedAddress[]): Connection | undefined {
    const connections = this.#byOrigin.get(origin);
    if (connections === undefined) return undefined;
    for (let index = connections.length - 1; index >= 0; index--) {
      const connection = connections[index];
      if (connection?.leadsTo(addresses)) {
        this.#removeAt(connections, index, connection);
        return connection;
      }
    }
    return undefined;
  }

  add(connection: Connection): void {
    const connections = this.#byOrigin.get(connection.origin);
    if (connections === undefined) this.#byOrigin.set(connection.origin, [connection]);
    else connections.push(connection);
    this.#all.add(connection);
    if (this.#all.size <= this.#limit) return;
    const [oldest] = this.#all;
    if (oldest === undefined) return;
    this.remove(oldest);
    oldest.destroy();
  }

  /** Whether it was there. */
  remove(connection: Connection): boolean {
    if (!this.#all.has(connection)) return false;
    const connections = this.#byOrigin.get(connection.origin) ?? [];
    this.#removeAt(connections, connections.indexOf(connection), connection);
    return true;
  }

  /** Closes them all. */
  clear(): void {
    for (const connection of this.#all) connection.destroy();
    this.#all.clear();
    this.#byOrigin.clear();
  }

  #removeAt(connections: Connection[], index: number, connection: Connection): void {
    if (index === connections.length - 1) connections.pop();
    else connections.splice(index, 1);
    if (connections.length === 0) this.#byOrigin.delete(connection.origin);
    this.#all.delete(connection);
  }
}
