import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { encodeBase64 } from '@symbolon/crypto';
import { sharedPrivateKey } from '@symbolon/testkit/actors/actors';
import { createService, row, sealedValues } from './support/actors.ts';
import { Child } from './support/child.ts';
import type { Sync } from './support/children/sync.ts';
import { dataFolder, Platform } from './support/platform.ts';
import { atMost, type Benchmark, figure, runAlone } from './support/report.ts';
import { connectMany, openSeed } from './support/seed.ts';
import { rounds, sized, warmUps } from './support/setting.ts';
import { median, pairedRatio } from './support/stats.ts';

const ROUNDS = rounds(9);
const CONNECTIONS = sized(2_000, 20);
const OPENSSL_PROCESSES = sized(Math.min(availableParallelism(), 8), 1);
const OPENSSL_SECONDS = sized(2, 1);
const ROWS = Array.from({ length: 5 }, (_, index) => row(`text_${index}`));

/** A first full sync by the SDK: CPU for each opened value, against CPU for each private operation of OpenSSL. */
export const sdkSync: Benchmark = async () => {
  await using folder = await dataFolder();
  await using platform = await Platform.start(folder.path);
  const service = await createService(platform, ROWS);
  const values = CONNECTIONS * ROWS.length;
  // Each sealed under a key of its own: nothing is opened twice.
  const sealed = await sealedValues(values, (index) => `value ${index}`);
  {
    await using seed = await openSeed(folder.path);
    const valueAt = (connection: number, row: number) => sealed[connection * ROWS.length + row] ?? '';
    await connectMany(seed, service, CONNECTIONS, valueAt);
  }
  const question: Sync = {
    url: platform.url,
    clientId: service.clientId,
    clientSecret: service.clientSecret,
    privateKey: encodeBase64(await sharedPrivateKey()),
  };

  const perSecond: number[] = [];
  const memory: number[] = [];
  const cpu: number[] = [];
  const openssl: number[] = [];
  for (let round = -warmUps(1); round < ROUNDS; round++) {
    const child = await Child.start<null>('sync.ts');
    const before = await child.usage();
    const result = await child.ask<{ connections: number; opened: number; elapsedMs: number }>(question);
    const { peakRss, cpuMicros } = await child.usage();
    await child.stop();
    if (result.connections !== CONNECTIONS || result.opened !== values) {
      throw new Error(`${result.opened} of ${values} values were opened.`);
    }
    const reference = await opensslCpuMicros();
    if (round < 0) continue;
    perSecond.push(values / (result.elapsedMs / 1000));
    memory.push(peakRss / 2 ** 20);
    cpu.push((cpuMicros - before.cpuMicros) / values);
    openssl.push(reference);
  }

  return {
    title: 'Full sync by the SDK',
    how: `${figure(CONNECTIONS, 0)} connections × ${ROWS.length} values, each really sealed, read and opened by \`DataClient.connections()\` in a process of its own. CPU of that process counts from the client's first line to its last: token, pages, the start of its threads and garbage collection included. The platform shares the machine, so values/s are for information. ${ROUNDS} rounds, interleaved with ${OPENSSL_PROCESSES} × \`openssl speed rsa2048\` at once, which reports user time; medians.`,
    table: {
      head: ['side', 'CPU µs/value', 'values/s', 'peak memory MB'],
      rows: [
        ['Symbolon SDK', figure(median(cpu), 0), figure(median(perSecond), 0), figure(median(memory), 0)],
        ['OpenSSL, the RSA-2048 private operation alone', figure(median(openssl), 0), '', ''],
      ],
    },
    bars: [
      atMost('CPU of a value against OpenSSL', pairedRatio(cpu, openssl), 1.15),
      atMost('peak memory of the SDK process', Math.max(...memory), 150, ' MB'),
    ],
  };
};

/** User CPU of one RSA-2048 private operation, when as many processes work as the SDK has threads here. */
async function opensslCpuMicros(): Promise<number> {
  const runs = Array.from({ length: OPENSSL_PROCESSES }, async () => {
    const args = ['speed', '-seconds', String(OPENSSL_SECONDS), 'rsa2048'];
    const { stdout } = await promisify(execFile)('openssl', args);
    // "rsa 2048 bits 0.000267s 0.000008s   3745.3 125000.0": sign and verify, seconds each and then per second.
    const perSecond = /^rsa +2048 bits +\S+ +\S+ +(\S+) +\S+/m.exec(stdout)?.[1];
    if (perSecond === undefined) throw new Error(`The output of openssl has no RSA-2048 line:\n${stdout}`);
    return 1e6 / Number(perSecond);
  });
  const micros = await Promise.all(runs);
  return micros.reduce((sum, value) => sum + value, 0) / micros.length;
}

if (import.meta.main) await runAlone(sdkSync);
