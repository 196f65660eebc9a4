import type { Connection } from './connection.ts';
import type { ResolvedAddress } from './resolver.ts';

/** Open connections without a request, at most `limit` of them: beyond it the longest unused one is closed. */
export class IdleConnections {
  readonly #limit: number;
  /**
   * Per origin, the most lately used last: the others get a chance to end by themselves. An origin whose connections are
   * all in use keeps its empty list: making it anew for every request would cost more than looking for it.
   */
  readonly #byOrigin = new Map<string, Connection[]>();
  /** All of them in a row, held together by their own members: the longest unused first. */
  #oldest: Connection | undefined;
  #newest: Connection | undefined;
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#size;
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
    connection.idle = true;
    connection.older = this.#newest;
    if (this.#newest === undefined) this.#oldest = connection;
    else this.#newest.newer = connection;
    this.#newest = connection;
    this.#size++;
    const oldest = this.#oldest;
    if (this.#size <= this.#limit || oldest === undefined) return;
    this.remove(oldest);
    oldest.destroy();
  }

  /** Whether it was there. */
  remove(connection: Connection): boolean {
    const connections = this.#byOrigin.get(connection.origin);
    if (connections === undefined) return false;
    const { idle } = connection;
    if (idle) this.#removeAt(connections, connections.indexOf(connection), connection);
    if (connections.length === 0) this.#byOrigin.delete(connection.origin);
    return idle;
  }

  /** Closes them all. */
  clear(): void {
    for (const connections of [...this.#byOrigin.values()]) {
      for (const connection of [...connections]) {
        this.remove(connection);
        connection.destroy();
      }
    }
  }

  #removeAt(connections: Connection[], index: number, connection: Connection): void {
    if (index === connections.length - 1) connections.pop();
    else connections.splice(index, 1);
    const { older, newer } = connection;
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
    connection.idle = false;
    connection.older = undefined;
    connection.newer = undefined;
    this.#size--;
  }
}
