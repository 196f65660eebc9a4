import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A client without manners: it speaks HTTP by hand and goes away when it likes. */
export class RawClient {
  readonly socket: Socket;
  readonly #host: string;

  private constructor(socket: Socket, host: string) {
    this.socket = socket;
    this.#host = host;
    // Whatever becomes of the connection is what the test is about.
    socket.on('error', () => {});
  }

  static async open(url: string): Promise<RawClient> {
    const { hostname, port, host } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new RawClient(socket, host);
  }

  /** Sends a GET; nothing is read. */
  send(path: string, token: string, headers: readonly string[] = []): void {
    const lines = [
      `GET ${path} HTTP/1.1`,
      `Host: ${this.#host}`,
      `Authorization: Bearer ${token}`,
      ...headers,
    ];
    this.socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  }

  /** Reads one whole response and gives its body. */
  async read(): Promise<string> {
    let received = '';
    for (;;) {
      const [chunk] = (await once(this.socket, 'data')) as [Buffer];
      received += chunk.toString('latin1');
      const head = received.indexOf('\r\n\r\n');
      if (head < 0) continue;
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
      if (received.length < head + 4 + length) continue;
      return Buffer.from(received.slice(head + 4, head + 4 + length), 'latin1').toString();
    }
  }

  /** Goes away at once; the kernel resets the connection when bytes were not read. */
  async destroy(): Promise<void> {
    const closed = once(this.socket, 'close');
    this.socket.destroy();
    await closed;
  }
}
