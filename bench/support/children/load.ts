import { connect, type Socket } from 'node:net';
import type { Load, LoadRequest, LoadResult } from '../load.ts';
import { answering } from './answering.ts';

/**
 * A load generator on bare sockets: it does as little as HTTP/1.1 allows, so that the server beside it is what is
 * measured. Each connection has one request in flight, as a client's would.
 */
answering(null, { answer: (load: Load) => generate(load) });

async function generate(load: Load): Promise<LoadResult> {
  const lanes = await Promise.all(load.lanes.map((request) => Lane.open(request)));
  const cpu = process.cpuUsage();
  const from = performance.now();
  const until = from + load.seconds * 1000;
  let running = load.awake === true;
  const spin = () => {
    if (running) setImmediate(spin);
  };
  spin();
  await Promise.all(lanes.map((lane) => lane.run(until, load.requests)));
  running = false;
  const elapsedMs = performance.now() - from;
  const { user, system } = process.cpuUsage(cpu);
  for (const lane of lanes) lane.close();
  return {
    requests: lanes.reduce((sum, lane) => sum + lane.latencies.length, 0),
    failed: lanes.reduce((sum, lane) => sum + lane.failed, 0),
    bodyBytes: lanes.reduce((sum, lane) => sum + lane.bodyBytes, 0),
    elapsedMs,
    latenciesMs: lanes.flatMap((lane) => lane.latencies),
    cpuShare: (user + system) / 1000 / elapsedMs,
  };
}

const HEAD_END = Buffer.from('\r\n\r\n');

/** One connection and the request it repeats. */
class Lane {
  readonly latencies: number[] = [];
  failed = 0;
  bodyBytes = 0;
  readonly #socket: Socket;
  /** One that is repeated, or several that are sent in turn. */
  readonly #requests: readonly Buffer[];
  readonly #most: number;
  #sentAt = 0;
  #head: Buffer | undefined;
  /** Body bytes still to come of the answer being read; undefined while its head is. */
  #missing: number | undefined;
  #answered: () => void = () => {};
  #broken: (error: Error) => void = () => {};

  private constructor(socket: Socket, requests: readonly Buffer[], most: number) {
    this.#socket = socket;
    this.#requests = requests;
    this.#most = most;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', (error) => this.#broken(error));
    socket.on('close', () => this.#broken(new Error('The server closed the connection.')));
  }

  static async open(request: LoadRequest): Promise<Lane> {
    const url = new URL(request.url);
    const socket = connect({ host: url.hostname, port: Number(url.port) });
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    const head = [`${request.method} ${url.pathname}${url.search} HTTP/1.1`, `host: ${url.host}`];
    for (const [name, value] of Object.entries(request.headers)) head.push(`${name}: ${value}`);
    const whole = (body: string | undefined) => {
      const length = body === undefined ? [] : [`content-length: ${Buffer.byteLength(body)}`];
      return Buffer.from(`${[...head, ...length].join('\r\n')}\r\n\r\n${body ?? ''}`);
    };
    const { bodies } = request;
    return bodies === undefined
      ? new Lane(socket, [whole(request.body)], Number.POSITIVE_INFINITY)
      : new Lane(socket, bodies.map(whole), bodies.length);
  }

  run(until: number, most = Number.POSITIVE_INFINITY): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#broken = reject;
      this.#answered = () => {
        if (performance.now() >= until || this.latencies.length >= Math.min(most, this.#most)) resolve();
        else this.#send();
      };
      this.#send();
    });
  }

  close(): void {
    this.#broken = () => {};
    this.#socket.destroy();
  }

  #send(): void {
    this.#sentAt = performance.now();
    const request = this.#requests[this.latencies.length % this.#requests.length];
    if (request !== undefined) this.#socket.write(request);
  }

  #read(chunk: Buffer): void {
    let rest = chunk;
    if (this.#missing === undefined) {
      if (this.#head !== undefined) rest = Buffer.concat([this.#head, chunk]);
      const end = rest.indexOf(HEAD_END);
      if (end < 0) {
        this.#head = rest;
        return;
      }
      this.#head = undefined;
      const head = rest.toString('latin1', 0, end);
      // "HTTP/1.1 200": the status begins at the tenth character.
      if (head.charCodeAt(9) !== 0x32) this.failed += 1;
      const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
      if (length === undefined) throw new Error('The answer has no content-length.');
      this.#missing = Number(length);
      this.bodyBytes += this.#missing;
      rest = rest.subarray(end + HEAD_END.length);
    }
    this.#missing -= rest.length;
    if (this.#missing > 0) return;
    this.#missing = undefined;
    this.latencies.push(performance.now() - this.#sentAt);
    this.#answered();
  }
}
