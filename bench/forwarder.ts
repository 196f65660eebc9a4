import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { generateKeyPair, parseWrapper, sealValue } from '@symbolon/crypto';
import { limits } from '@symbolon/protocol';
import { systemClock } from '../packages/server/src/core/clock.ts';
import { createIds } from '../packages/server/src/core/ids.ts';
import { KeyRing } from '../packages/server/src/core/key-ring.ts';
import { Passes } from '../packages/server/src/domains/plugins/index.ts';
import { Child } from './support/child.ts';
import { LoadGenerator, type LoadRequest } from './support/load.ts';
import { dataFolder, FORWARDED, Platform } from './support/platform.ts';
import { atLeast, atMost, type Benchmark, figure, runAlone } from './support/report.ts';
import { rounds, sized, warmUps } from './support/setting.ts';
import { median, quantile } from './support/stats.ts';

const ROUNDS = rounds(15);
const LANES = 4;
const CALLS = sized(250, 5);
const SLOW_CALLS = sized(1000, 10);
/** The forwarder lets 250 calls of one plugin wait, and 500 of one company: each plugin is one of another company. */
const SLOW_PLUGINS = 5;
/** Between two looks at the memory. */
const LOOK_MS = 5;
const MIB = 2 ** 20;

/**
 * Calls of a plugin through the forwarder and straight to it, in turn, and memory while many plugins are slow. The forwarder
 * is a process by itself, and its passes are made here with the secret that both have.
 */
export const forwarder: Benchmark = async () => {
  await using folder = await dataFolder();
  const secret = randomBytes(32).toString('base64');
  await using platform = await Platform.start(folder.path, {
    SYMBOLON_ROLES: 'forwarder',
    SYMBOLON_SECRET: secret,
    SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS: 'true',
  });
  const { publicKey } = await generateKeyPair();
  const sealed = async (text: string) => parseWrapper(await sealValue(text, publicKey));
  const options = Array.from({ length: 50 }, (_, id) => ({ id: String(id), label: `Option ${id}` }));
  const reply = await sealed(JSON.stringify({ options, more: false }));
  const plugin = await Child.start<string>('plugin.ts', [JSON.stringify(reply), String(SLOW_CALLS)]);
  const generator = await LoadGenerator.start();
  const request = await sealed(JSON.stringify({ op: 'options', query: 'Ber', reply_key: publicKey }));

  const passes = new Passes({
    clock: systemClock,
    ids: createIds(systemClock),
    keys: new KeyRing(secret, ''),
  });
  const callOf = (id: string, pass: string) => JSON.stringify({ pass, plugin_id: id, request });
  const passFor = (path: string, id: string) =>
    passes.mint('call', {
      company_id: `company of ${id}`,
      region_url: 'http://127.0.0.1:1',
      plugins: [{ id, base: `${plugin.ready}${path}`, token: 'token', public_key: publicKey }],
    });
  /** Bodies of calls of one plugin; a pass is good for so many. */
  const bodies = (path: string, id: string, count: number) => {
    let pass = '';
    return Array.from({ length: count }, (_, index) => {
      if (index % limits.pluginPassCallsPerMinute === 0) pass = passFor(path, id);
      return callOf(id, pass);
    });
  };
  const headers = { 'content-type': 'application/json', ...FORWARDED };
  const through = (path: string, id: string, count: number): LoadRequest => ({
    url: `${platform.url}/call`,
    method: 'POST',
    headers,
    bodies: bodies(path, id, count),
  });
  const straight: LoadRequest = {
    url: `${plugin.ready}/fast/call`,
    method: 'POST',
    headers,
    body: JSON.stringify({ request }),
  };

  const sides = { straight: [] as number[], through: [] as number[], cpu: [] as number[] };
  for (let round = -warmUps(3); round < ROUNDS; round++) {
    const lanes = Array.from({ length: LANES }, () => through('/fast', 'fast', CALLS));
    const run = { seconds: 60, requests: CALLS };
    const alone = await generator.run({ ...run, lanes: lanes.map(() => straight) });
    const usage = await platform.usage();
    const forwarded = await generator.run({ ...run, lanes });
    const { cpuMicros } = await platform.usage();
    if (round < 0) continue;
    sides.straight.push(quantile(alone.latenciesMs, 0.99));
    sides.through.push(quantile(forwarded.latenciesMs, 0.99));
    sides.cpu.push((cpuMicros - usage.cpuMicros) / forwarded.requests);
  }
  const added = median(sides.through.map((ms, round) => ms - (sides.straight[round] ?? Number.NaN)));

  const before = (await platform.usage()).rss;
  let running = true;
  const slow = generator
    .run({
      lanes: Array.from({ length: SLOW_CALLS }, (_, index) =>
        through('/slow', `slow ${index % SLOW_PLUGINS}`, 1),
      ),
      seconds: 60,
      requests: 1,
    })
    // The number that waited shows a machine that is too busy for all of them.
    .catch(() => undefined)
    .finally(() => {
      running = false;
    });
  let most = before;
  while (running) {
    most = Math.max(most, (await platform.usage()).rss);
    await setTimeout(LOOK_MS);
  }
  await slow;
  const held = await plugin.ask<number>({ held: true });
  await Promise.all([plugin.stop(), generator.stop()]);

  return {
    title: 'Forwarder',
    how: `Options of a plugin (50, sealed) through a forwarder that is a process by itself, and straight from the plugin; ${LANES} connections, ${ROUNDS} interleaved rounds of ${LANES * CALLS} calls, medians; what is added is the median of the differences round by round. Then ${SLOW_CALLS} calls at once of ${SLOW_PLUGINS} plugins that let all of them wait, and the resident memory of the forwarder meanwhile.`,
    table: {
      head: ['', 'p99 ms', 'forwarder CPU µs/call', 'memory MiB'],
      rows: [
        ['straight', figure(median(sides.straight)), '', ''],
        [
          'through the forwarder',
          figure(median(sides.through)),
          figure(median(sides.cpu)),
          figure(before / MIB),
        ],
        [`${held} slow calls at once`, '', '', figure(most / MIB)],
      ],
    },
    bars: [
      atLeast('slow calls at once', held, SLOW_CALLS, ''),
      atMost('added to a call at the 99th percentile', added, 1, ' ms'),
      atMost('resident memory of the forwarder', before / MIB, 120, ' MiB'),
      atMost('memory that they take', (most - before) / MIB, 150, ' MiB'),
    ],
  };
};

if (import.meta.main) await runAlone(forwarder);
