import { on, once } from 'node:events';
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
    const chunks: Buffer[] = [];
    let size = 0;
    let whole: number | undefined;
    for await (const [chunk] of on(this.socket.resume(), 'data', { close: ['close'] })) {
      chunks.push(chunk as Buffer);
      size += chunk.length;
      whole ??= sizeOf(Buffer.concat(chunks).toString('latin1'));
      if (whole !== undefined && size >= whole) break;
    }
    const text = Buffer.concat(chunks).toString();
    return text.slice(text.indexOf(END_OF_HEAD) + END_OF_HEAD.length);
  }

  /** Reads so many bytes or chunks of a response and no more; `died` is false when the response has ended before. */
  async readPart(most: { bytes: number; chunks: number }): Promise<{ died: boolean }> {
    const parts: Buffer[] = [];
    let size = 0;
    for (let chunks = 0; size < most.bytes && chunks < most.chunks; chunks++) {
      if (this.socket.readableLength === 0) await once(this.socket, 'readable');
      const part: Buffer | null = this.socket.read(Math.min(most.bytes - size, this.socket.readableLength));
      if (part === null) return { died: false };
      parts.push(part);
      size += part.length;
      if (size === sizeOf(Buffer.concat(parts).toString('latin1'))) return { died: false };
    }
    return { died: true };
  }

  /** Goes away at once; the kernel resets the connection when bytes were not read. */
  async destroy(): Promise<void> {
    this.socket.destroy();
    if (!this.socket.closed) await once(this.socket, 'close');
  }
}

const END_OF_HEAD = '\r\n\r\n';

/** The size of a response, once its head is there. */
function sizeOf(text: string): number | undefined {
  const head = text.indexOf(END_OF_HEAD);
  if (head < 0) return undefined;
  return head + END_OF_HEAD.length + Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
}
