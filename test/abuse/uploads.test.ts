import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { registerCompany, type TestCompany } from '@symbolon/testkit/actors/actors';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { type AbusedPlatform, calmest, closed, startAbused } from './support/abused-platform.ts';

const MIB = 1024 * 1024;
const DECLARED = 24 * MIB;
const SENT = 4 * MIB;
/** No step of the platform holds its thread for longer. */
const HELD_MOST_MS = 50;
/** By their bytes. */
const AT_A_TIME = { account: 2, process: 10 };
/** Enough each time that an upload is not too slow; it would go on for longer than a test does. */
const DRIP = 'A'.repeat(128 * 1024);
const DRIP_MS = 500;
/** A small image, and blanks that make its body an upload by size. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

let abused: AbusedPlatform;
let companies: TestCompany[];
before(async () => {
  abused = await startAbused();
  companies = [];
  for (let index = 0; index < 7; index++) companies.push(await registerCompany(abused));
});
after(() => abused.end());

/** An upload that goes on for as long as a test lasts, just faster than what the platform ends as too slow, until it stops. */
class Stuck {
  readonly socket: Socket;
  /** Everything the platform says before it closes the connection. */
  readonly answer: Promise<string>;
  readonly #drip: NodeJS.Timeout;

  /** @param sent bytes of the file that are sent at once */
  constructor({ token }: TestCompany, sent = SENT) {
    const { hostname, port } = new URL(abused.url);
    this.socket = connect(Number(port), hostname).on('error', () => {});
    this.answer = text(this.socket).catch(() => '');
    this.socket.write(
      `POST /api/photos HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${DECLARED}\r\n\r\n{"file":"${'A'.repeat(sent)}`,
    );
    this.#drip = setInterval(() => {
      if (sent > 0 && this.socket.writable && this.socket.writableLength === 0) this.socket.write(DRIP);
    }, DRIP_MS);
    this.socket.once('close', () => this.stop());
  }

  /** Sends nothing more. */
  stop(): void {
    clearInterval(this.#drip);
  }
}

/** Stops uploads, and gives what was answered to each. */
function end(stuck: readonly Stuck[]): Promise<string[]> {
  for (const one of stuck) one.stop();
  return Promise.all(stuck.map(({ answer }) => answer));
}

const upload = ({ token }: TestCompany, blanks: number) =>
  abused.call('POST', '/api/photos', {
    token,
    headers: { 'content-type': 'application/json' },
    body: `{"file":"${PIXEL}"}${' '.repeat(blanks)}`,
  });

const socketsOf = (stuck: readonly Stuck[]) => stuck.map(({ socket }) => socket);

test('uploads that never end are few for an account, and end', async () => {
  const [attacker, honest] = companies as [TestCompany, TestCompany];
  const attack = async () => {
    const stuck = Array.from({ length: 24 }, () => new Stuck(attacker));
    await closed(socketsOf(stuck), stuck.length - AT_A_TIME.account);
    // One that is closed while it sends may lose its answer; this one sends next to nothing.
    const refused = await new Stuck(attacker, 0).answer;
    assert.ok(refused.startsWith('HTTP/1.1 429') && refused.includes('rate_limit.exceeded'), refused);
    assert.equal((await upload(honest, MIB)).status, 201, 'others upload meanwhile');
    const answers = await end(stuck);
    // They are given back a moment after the answer, and the next attack begins with all of them.
    await eventually('what ended is given back', async () =>
      (await upload(attacker, MIB)).status === 201 ? true : undefined,
    );
    return answers;
  };
  const { result, rss, heldMs } = await calmest(HELD_MOST_MS, () => abused.during(attack));
  const ended = result.filter((answer) => answer.startsWith('HTTP/1.1 408'));
  assert.equal(ended.length, AT_A_TIME.account, 'the others were refused before their bodies were read');
  assert.ok(heldMs <= HELD_MOST_MS, `${heldMs} ms`);
  assert.ok(rss < 600 * MIB, `${rss / MIB} MiB`);
});

test('uploads of many accounts are few for a process', async () => {
  const [late, ...others] = companies as [TestCompany, ...TestCompany[]];
  const stuck = others.flatMap((company) => [new Stuck(company), new Stuck(company)]);
  await closed(socketsOf(stuck), stuck.length - AT_A_TIME.process);
  // One that is closed while it sends may lose its answer; this one sends next to nothing.
  const refused = await new Stuck(late, 0).answer;
  assert.ok(refused.startsWith('HTTP/1.1 503') && refused.includes('platform.busy'), refused);
  const small = await abused.call('GET', '/api/photos', { token: companies[0]?.token ?? '' });
  assert.equal(small.status, 200);
  const answers = await end(stuck);
  assert.equal(answers.filter((answer) => answer.startsWith('HTTP/1.1 408')).length, AT_A_TIME.process);
});
