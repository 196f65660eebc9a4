import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { FakeTimers } from '@symbolon/testkit/platform/fake-timers';
import { FakeClock } from '@symbolon/testkit/platform/platform';
import { type DnsAnswer, Nameserver } from '@symbolon/testkit/servers/nameserver';
import { DnsResolver } from './resolver.ts';

const PUBLIC_A = '93.184.216.34';
const PUBLIC_B = '2606:4700:4700::1111';

const cleanUps: (() => void)[] = [];
after(() => {
  for (const cleanUp of cleanUps) cleanUp();
});

async function setUp(answers: (name: string, family: 4 | 6) => DnsAnswer, options: { ttl?: number } = {}) {
  const nameserver = await Nameserver.start(answers, options);
  cleanUps.push(() => nameserver.stop());
  const clock = new FakeClock();
  const timers = new FakeTimers();
  const resolver = new DnsResolver({ servers: [nameserver.address], tryMs: 60_000, clock, timers });
  return { nameserver, resolver, clock, timers };
}

describe('DnsResolver', () => {
  it('gives the addresses of both families', async () => {
    const { resolver } = await setUp(() => [PUBLIC_B, PUBLIC_A]);
    assert.deepEqual(await resolver.resolve('example.com', 'a'), [
      { address: PUBLIC_A, family: 4 },
      { address: PUBLIC_B, family: 6 },
    ]);
  });

  it('gives the addresses of one family when the other has none', async () => {
    const { resolver } = await setUp(() => [PUBLIC_B]);
    assert.deepEqual(await resolver.resolve('example.com', 'a'), [{ address: PUBLIC_B, family: 6 }]);
  });

  it('asks for the very name, whatever search domain the machine has', async () => {
    process.env.LOCALDOMAIN = 'search.example';
    cleanUps.push(() => delete process.env.LOCALDOMAIN);
    const { resolver, nameserver } = await setUp(() => 'no such name');
    await assert.rejects(resolver.resolve('intranet.example.com', 'a'), /ENOTFOUND/);
    assert.deepEqual([...nameserver.namesUnder('')], ['intranet.example.com']);
  });

  it('does not read the hosts file', async () => {
    const { resolver } = await setUp(() => 'no such name');
    await assert.rejects(resolver.resolve('localhost', 'a'), /ENOTFOUND/);
  });

  it('gives up on a nameserver that does not answer', async () => {
    const { resolver, nameserver, timers } = await setUp(() => 'silence');
    const looking = assert.rejects(resolver.resolve('dead.example', 'a'), /no nameserver answered in time/);
    await nameserver.until(() => nameserver.questions.length >= 2);
    timers.advance(2_500);
    await looking;
  });

  it('takes the addresses of one family when there is no answer for the other in time', async () => {
    const { resolver, nameserver, timers } = await setUp((name, family) =>
      name === 'half.example' && family === 6 ? 'silence' : [PUBLIC_A],
    );
    const looking = resolver.resolve('half.example', 'a');
    await nameserver.until(() => nameserver.questions.length >= 2);
    // By the time this later look-up is answered, the first answer is there too.
    await resolver.resolve('other.example', 'b');
    timers.advance(2_500);
    assert.deepEqual(await looking, [{ address: PUBLIC_A, family: 4 }]);
  });

  it('keeps what it found for as long as the zone says, and a minute at most', async () => {
    for (const [ttl, keptMs] of [
      [30, 30_000],
      [86_400, 60_000],
      [0, 1_000],
    ] as const) {
      const { resolver, nameserver, clock } = await setUp(() => [PUBLIC_A], { ttl });
      await resolver.resolve('example.com', 'a');
      clock.advance(keptMs - 1);
      await resolver.resolve('example.com', 'b');
      assert.equal(nameserver.questions.length, 2, `ttl ${ttl}: kept`);
      clock.advance(2);
      await resolver.resolve('example.com', 'a');
      assert.equal(nameserver.questions.length, 4, `ttl ${ttl}: asked again`);
    }
  });

  it('keeps a failure for five seconds', async () => {
    const { resolver, nameserver, clock } = await setUp(() => 'no such name');
    await assert.rejects(resolver.resolve('gone.example', 'a'));
    clock.advance(4_999);
    await assert.rejects(resolver.resolve('gone.example', 'a'));
    assert.equal(nameserver.questions.length, 2);
    clock.advance(2);
    await assert.rejects(resolver.resolve('gone.example', 'a'));
    assert.equal(nameserver.questions.length, 4);
  });

  it('asks once for a host that one party wants many times at once', async () => {
    const { resolver, nameserver } = await setUp(() => [PUBLIC_A]);
    await Promise.all(Array.from({ length: 50 }, () => resolver.resolve('example.com', 'a')));
    assert.equal(nameserver.questions.length, 2);
  });

  it('refuses a host with more addresses than anybody needs', async () => {
    const { resolver } = await setUp(() => Array.from({ length: 65 }, (_, index) => `93.184.216.${index}`));
    // Over UDP so many do not fit the smallest datagram; the server of this test sends them all the same.
    await assert.rejects(resolver.resolve('many.example', 'a'));
  });

  it('lets a dead zone of one party delay that party alone', async () => {
    const { resolver, nameserver, timers } = await setUp((name) =>
      name.endsWith('.dead.example') ? 'silence' : [PUBLIC_A],
    );
    const own: Promise<unknown>[] = [];
    for (let index = 0; index < 50; index++) {
      own.push(assert.rejects(resolver.resolve(`h${index}.dead.example`, 'attacker')));
    }
    await nameserver.until(() => nameserver.namesUnder('.dead.example').size === 4);
    // None of the attacker's look-ups ends before the timers say so: the victim does not wait behind them.
    assert.equal((await resolver.resolve('victim.example', 'victim')).length, 1);
    assert.equal(nameserver.namesUnder('.dead.example').size, 4);
    // Nor when both want the same host, and the attacker's turn for it has not come.
    own.push(assert.doesNotReject(resolver.resolve('shared.example', 'attacker')));
    assert.equal((await resolver.resolve('shared.example', 'victim')).length, 1);
    let ended = false;
    const all = Promise.all(own).then(() => {
      ended = true;
    });
    for (let round = 1; !ended; round++) {
      const asked = Math.min(round * 4, 50);
      await nameserver.until(() => nameserver.namesUnder('.dead.example').size >= asked);
      assert.equal(nameserver.namesUnder('.dead.example').size, asked);
      timers.advance(2_500);
      if (asked === 50) await all;
    }
  });

  it('refuses a party that has a thousand look-ups waiting', async () => {
    const { resolver, timers, nameserver } = await setUp(() => 'silence');
    const all = Array.from({ length: 1_004 }, (_, index) => resolver.resolve(`h${index}.example`, 'a'));
    const outcomes = Promise.allSettled(all);
    await assert.rejects(resolver.resolve('one-more.example', 'a'), { key: 'rate_limit.exceeded' });
    let ended = false;
    void outcomes.then(() => {
      ended = true;
    });
    while (!ended) {
      const before = nameserver.questions.length;
      timers.advance(2_500);
      await Promise.race([outcomes, nameserver.until(() => nameserver.questions.length > before)]);
    }
  });
});
