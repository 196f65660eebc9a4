import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';

/** What a nameserver of a test says of a name: addresses, that there is none, or nothing at all. */
export type DnsAnswer = readonly string[] | 'no such name' | 'silence';

type AnswerTo = (name: string, family: 4 | 6) => DnsAnswer;

interface Question {
  readonly name: string;
  readonly family: 4 | 6;
}

/** A nameserver on this machine (RFC 1035, as far as look-ups of addresses need it). */
export class Nameserver {
  readonly #socket = createSocket('udp4');
  readonly questions: Question[] = [];
  readonly #answers: AnswerTo;
  readonly #ttl: number;
  #asked = () => {};

  private constructor(answers: AnswerTo, ttl: number) {
    this.#answers = answers;
    this.#ttl = ttl;
    this.#socket.on('message', (message, from) => this.#serve(message, from));
  }

  static async start(answers: AnswerTo, { ttl = 30 } = {}): Promise<Nameserver> {
    const server = new Nameserver(answers, ttl);
    server.#socket.bind(0, '127.0.0.1');
    await once(server.#socket, 'listening');
    return server;
  }

  /** As a resolver takes it. */
  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  /** Different names that end in `suffix` and were asked for. */
  namesUnder(suffix: string): Set<string> {
    return new Set(this.questions.map(({ name }) => name).filter((name) => name.endsWith(suffix)));
  }

  /** Resolves when `asked` holds of what was asked. */
  async until(asked: () => boolean): Promise<void> {
    while (!asked()) {
      await new Promise<void>((resolve) => {
        this.#asked = resolve;
      });
    }
  }

  stop(): void {
    this.#socket.close();
  }

  #serve(message: Buffer, from: RemoteInfo): void {
    const { question, end } = readQuestion(message);
    this.questions.push(question);
    this.#asked();
    const answer = this.#answers(question.name, question.family);
    if (answer === 'silence') return;
    const addresses = answer === 'no such name' ? [] : answer;
    const records = addresses
      .filter((address) => (isIPv4(address) ? 4 : 6) === question.family)
      .map((address) => record(address, this.#ttl));
    const header = Buffer.from(message.subarray(0, 12));
    header.writeUInt16BE(answer === 'no such name' ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(records.length, 6);
    header.writeUInt32BE(0, 8);
    this.#socket.send(
      Buffer.concat([header, message.subarray(12, end), ...records]),
      from.port,
      from.address,
    );
  }
}

function readQuestion(message: Buffer): { question: Question; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const family = message.readUInt16BE(at + 1) === 28 ? 6 : 4;
  return { question: { name: labels.join('.').toLowerCase(), family }, end: at + 5 };
}

function record(address: string, ttl: number): Buffer {
  const data = isIPv4(address)
    ? Buffer.from(address.split('.').map(Number))
    : Buffer.from(
        new URL(`http://[${address}]`).hostname
          .slice(1, -1)
          .split(':')
          .flatMap((group, index, groups) => {
            // A test writes addresses with one `::`.
            const zeros = group === '' && index > 0 ? 9 - groups.length : 1;
            const value = Number.parseInt(group || '0', 16);
            return Array.from({ length: zeros }, () => [value >> 8, value & 255]).flat();
          }),
      );
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0); // the name of the question
  head.writeUInt16BE(data.length === 4 ? 1 : 28, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(ttl, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
