import { connect, type Socket } from 'node:net';
import type { TimedCall } from './calls.ts';
import { FORWARDED } from './platform.ts';

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * Connections on which calls go out in bursts, as many in one piece as there are: the server finds work as long as there is some,
 * however busy the machine is, so that the processor time of a call depends little on anything else.
 */
export class Bursts {
  readonly #lines: readonly Line[];

  private constructor(lines: readonly Line[]) {
    this.#lines = lines;
  }

  static async open(url: string, connections: number): Promise<Bursts> {
    return new Bursts(await Promise.all(Array.from({ length: connections }, () => Line.open(url))));
  }

  /** @returns the bodies, in the order of the calls. @throws Error when an answer is no 2xx */
  async send(calls: readonly TimedCall[]): Promise<string[]> {
    const bodies: string[] = new Array(calls.length);
    await Promise.all(
      this.#lines.map(async (line, index) => {
        const own = calls.filter((_, at) => at % this.#lines.length === index);
        const answers = await line.send(own);
        for (const [at, text] of answers.entries()) bodies[at * this.#lines.length + index] = text;
      }),
    );
    return bodies;
  }

  close(): void {
    for (const line of this.#lines) line.close();
  }
}

class Line {
  readonly #socket: Socket;
  readonly #host: string;
  #calls: readonly TimedCall[] = [];
  #answers: string[] = [];
  #rest: Buffer = Buffer.alloc(0);
  #done: (answers: string[]) => void = () => {};
  #broken: (error: Error) => void = () => {};

  private constructor(socket: Socket, host: string) {
    this.#socket = socket;
    this.#host = host;
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', (error) => this.#broken(error));
    socket.on('close', () => this.#broken(new Error('The server closed the connection.')));
  }

  static async open(url: string): Promise<Line> {
    const { hostname, port, host } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    return new Line(socket, host);
  }

  send(calls: readonly TimedCall[]): Promise<string[]> {
    if (calls.length === 0) return Promise.resolve([]);
    this.#calls = calls;
    this.#answers = [];
    return new Promise((resolve, reject) => {
      this.#done = resolve;
      this.#broken = reject;
      this.#socket.write(calls.map((call) => this.#text(call)).join(''));
    });
  }

  close(): void {
    this.#broken = () => {};
    this.#socket.destroy();
  }

  #text({ method, path, token, body }: TimedCall): string {
    const isForm = body instanceof URLSearchParams;
    const sent = body === undefined ? '' : isForm ? body.toString() : JSON.stringify(body);
    const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
    const headers = {
      host: this.#host,
      accept: 'application/json',
      ...FORWARDED,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': type, 'content-length': Buffer.byteLength(sent) }),
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${sent}`;
  }

  #read(chunk: Buffer): void {
    let rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const end = rest.indexOf(HEAD_END);
      if (end < 0) break;
      const head = rest.toString('latin1', 0, end);
      // An answer without a body (204) has no length.
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      if (/\r\ntransfer-encoding:/i.test(head)) this.#broken(new Error('The answer has no content-length.'));
      const next = end + HEAD_END.length + length;
      if (rest.length < next) break;
      const text = rest.toString('utf8', end + HEAD_END.length, next);
      rest = rest.subarray(next);
      const { method, path } = this.#calls[this.#answers.length] as TimedCall;
      // "HTTP/1.1 200": the status begins at the tenth character.
      if (head.charCodeAt(9) !== 0x32)
        this.#broken(new Error(`${method} ${path}: ${head.slice(9, 12)} ${text}`));
      this.#answers.push(text);
    }
    this.#rest = rest;
    if (this.#answers.length === this.#calls.length) this.#done(this.#answers);
  }
}
