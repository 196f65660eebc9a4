import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort, HOST } from '../platform/address.ts';

/** `up` is from the client to the server, `down` is the way back. */
export type Direction = 'up' | 'down' | 'both';

/**
 * What happens to one chunk on its way down: it passes; or only its first `bytes` pass and the connection ends (`end` is a FIN,
 * `reset` an RST), after `lateMs` if given.
 */
export type Fate =
  | 'pass'
  | { readonly bytes: number; readonly how: 'end' | 'reset'; readonly lateMs?: number };

interface Pipe {
  readonly client: Socket;
  readonly server: Socket;
  /** A connection whose host has vanished: it stays open, and nothing passes ever again, not even its end. */
  silent: boolean;
}

/** A TCP proxy on a loopback port, for tests: it breaks the network between two programs in any way that networks break. */
export class TcpProxy implements AsyncDisposable {
  readonly port: number;
  /** Decides about each chunk that goes down. */
  fate: ((bytes: number) => Fate) | undefined;
  readonly #target: { readonly host: string; port: number };
  readonly #pipes = new Set<Pipe>();
  #server: Server;
  #stalled: { up: boolean; down: boolean } = { up: false, down: false };
  #delayMs = 0;
  #bytesPerSecond = Number.POSITIVE_INFINITY;
  /** Called when a stall ends. */
  #resumed: (() => void)[] = [];

  private constructor(server: Server, target: { host: string; port: number }) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    this.#target = target;
    server.on('connection', (client) => this.#accept(client));
  }

  /** The target may still be unreachable. */
  static async start(host: string, port: number): Promise<TcpProxy> {
    return new TcpProxy(await listen(await freePort()), { host, port });
  }

  /** Host and port. */
  get address(): string {
    return `${HOST}:${this.port}`;
  }

  /** How many connections are open, those that went silent included. */
  get connections(): number {
    return this.#pipes.size;
  }

  /** New connections lead to another port of the target's host. */
  lead(port: number): void {
    this.#target.port = port;
  }

  /** Holds all bytes of present and new connections back until `pass`: packets that do not arrive, without a reset. */
  stall(direction: Direction = 'both'): void {
    this.#stalled = { up: direction !== 'down', down: direction !== 'up' };
  }

  /** Every chunk waits so long, and no more than so many bytes a second pass on each connection. */
  slow(delayMs: number, bytesPerSecond = Number.POSITIVE_INFINITY): void {
    this.#delayMs = delayMs;
    this.#bytesPerSecond = bytesPerSecond;
  }

  /** Present connections stay open and never pass a byte again, as when a firewall forgets them. New ones work. */
  silence(): void {
    for (const pipe of this.#pipes) pipe.silent = true;
  }

  /** Resets all present connections. New ones work. */
  reset(): void {
    for (const { client, server } of [...this.#pipes]) {
      resetNow(client);
      resetNow(server);
    }
  }

  /** Ends all present connections in order. New ones work. */
  cut(): void {
    for (const { client, server } of [...this.#pipes]) {
      client.destroySoon();
      server.destroySoon();
    }
  }

  /** Resets all present connections and refuses new ones until `accept`. */
  async refuse(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.reset();
    await closed;
  }

  /** Accepts connections again, on the same port. */
  async accept(): Promise<void> {
    if (this.#server.listening) return;
    this.#server = await listen(this.port);
    this.#server.on('connection', (client) => this.#accept(client));
  }

  /** Ends stalls and slowness; what was held back passes. Silent connections stay silent. */
  pass(): void {
    this.#stalled = { up: false, down: false };
    this.#delayMs = 0;
    this.#bytesPerSecond = Number.POSITIVE_INFINITY;
    this.fate = undefined;
    for (const resume of this.#resumed.splice(0)) resume();
  }

  async stop(): Promise<void> {
    this.pass();
    await this.refuse();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #accept(client: Socket): void {
    const server = connect({ ...this.#target, allowHalfOpen: true, noDelay: true });
    client.setNoDelay(true);
    const pipe: Pipe = { client, server, silent: false };
    this.#pipes.add(pipe);
    void this.#pump(pipe, 'up');
    void this.#pump(pipe, 'down');
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      // An end in disorder goes on as a reset, when the network lets it.
      socket.on('error', () => {
        if (!pipe.silent) void this.#unstalled('both').then(() => resetNow(other));
      });
      socket.on('close', () => {
        if (client.destroyed && server.destroyed) this.#pipes.delete(pipe);
      });
    }
  }

  async #pump(pipe: Pipe, direction: 'up' | 'down'): Promise<void> {
    const [from, to] = direction === 'up' ? [pipe.client, pipe.server] : [pipe.server, pipe.client];
    try {
      // One side may end before the other: the end of reading must not end the socket.
      for await (const chunk of from.iterator({ destroyOnReturn: false })) {
        await this.#unstalled(direction);
        if (this.#delayMs > 0) await pause(this.#delayMs);
        if (Number.isFinite(this.#bytesPerSecond)) await pause((chunk.length / this.#bytesPerSecond) * 1000);
        // A silent connection is read on, so that its peers see no back-pressure: their bytes are lost.
        if (pipe.silent) continue;
        if (direction === 'down' && (await this.#isCut(pipe, chunk))) return;
        if (!to.write(chunk)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
      }
      await this.#unstalled(direction);
      if (!pipe.silent) to.end();
    } catch {
      // The socket's own listener tells the other side.
    }
  }

  async #isCut(pipe: Pipe, chunk: Buffer): Promise<boolean> {
    const fate = this.fate?.(chunk.length) ?? 'pass';
    if (fate === 'pass') return false;
    if (fate.bytes > 0) pipe.client.write(chunk.subarray(0, fate.bytes));
    await pause(fate.lateMs ?? 0);
    if (fate.how === 'end') {
      pipe.client.destroySoon();
      pipe.server.destroySoon();
    } else {
      resetNow(pipe.client);
      resetNow(pipe.server);
    }
    return true;
  }

  async #unstalled(direction: Direction): Promise<void> {
    const stalled = () =>
      (direction !== 'down' && this.#stalled.up) || (direction !== 'up' && this.#stalled.down);
    while (stalled()) await new Promise<void>((resolve) => this.#resumed.push(resolve));
  }
}

/**
 * Resets a connection. One whose end is on its way is closed instead: the system refuses to reset it, and Node.js would then
 * keep its handle for ever, so that the process could not end.
 */
export function resetNow(socket: Socket): void {
  if (socket.writableEnded && !socket.writableFinished) socket.destroy();
  else socket.resetAndDestroy();
}

async function listen(port: number): Promise<Server> {
  // Connections are paused until their pump reads, and one side may end before the other.
  const server = createServer({ allowHalfOpen: true });
  server.listen(port, HOST);
  await once(server, 'listening');
  return server;
}
