import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { encodeBase64 } from '@symbolon/crypto';
import type { RequestFieldInput } from '@symbolon/protocol';
import { createService } from './support/actors.ts';
import { Child } from './support/child.ts';
import type { Sync } from './support/children/sync.ts';
import { sealed } from './support/people.ts';
import { dataFolder, Platform } from './support/platform.ts';
import { atLeast, atMost, type Benchmark, figure, runAlone } from './support/report.ts';
import { Seed } from './support/seed.ts';
import { median, pairedRatio } from './support/stats.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
const CONNECTIONS = 2_000;
const OPENSSL_SECONDS = 2;
const ROWS: readonly RequestFieldInput[] = Array.from({ length: 5 }, (_, index) => ({
  slug: `text_${index}`,
  label: `Text ${index}`,
  type: 'text',
}));

/** A first full sync by the SDK beside what OpenSSL says this machine can open. */
export const sdkSync: Benchmark = async () => {
  await using folder = await dataFolder();
  await using platform = await Platform.start(folder.path);
  const service = await createService(platform, ROWS);
  {
    using seed = new Seed(folder.path);
    // Each sealed under a key of its own: nothing is opened twice.
    seed.connect(service, CONNECTIONS, (connection, row) => sealed(service, `value ${row} of ${connection}`));
  }
  const values = CONNECTIONS * service.rows.length;
  const question: Sync = {
    url: platform.url,
    clientId: service.clientId,
    clientSecret: service.clientSecret,
    privateKey: encodeBase64(service.keys.privateKey),
  };

  const ours: number[] = [];
  const openssl: number[] = [];
  const memory: number[] = [];
  const cpu: number[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const child = await Child.start<null>('sync.ts');
    const before = await child.usage();
    const result = await child.ask<{ connections: number; opened: number; elapsedMs: number }>(question);
    const { peakRss, cpuMicros } = await child.usage();
    await child.stop();
    if (result.connections !== CONNECTIONS || result.opened !== values) {
      throw new Error(`${result.opened} of ${values} values were opened.`);
    }
    const reference = await opensslPrivateOps();
    if (round < 0) continue;
    ours.push(values / (result.elapsedMs / 1000));
    memory.push(peakRss / 2 ** 20);
    cpu.push((cpuMicros - before.cpuMicros) / values);
    openssl.push(reference);
  }

  return {
    title: 'Full sync by the SDK',
    how: `${figure(CONNECTIONS, 0)} connections × ${service.rows.length} values, each really sealed, read and opened by \`DataClient.connections()\` in a process of its own, token and pages included; the platform shares the machine. ${ROUNDS} rounds, interleaved with \`openssl speed -multi 2 rsa2048\`, medians.`,
    table: {
      head: ['side', 'RSA-2048 private operations/s', 'CPU µs/operation', 'peak memory MB'],
      rows: [
        ['Symbolon SDK', figure(median(ours), 0), figure(median(cpu), 0), figure(median(memory), 0)],
        ['openssl speed, 2 processes', figure(median(openssl), 0), '', ''],
      ],
    },
    bars: [
      atLeast('of openssl', pairedRatio(ours, openssl), 0.85),
      atMost('peak memory of the SDK process', Math.max(...memory), 200, ' MB'),
    ],
  };
};

async function opensslPrivateOps(): Promise<number> {
  const args = ['speed', '-multi', '2', '-seconds', String(OPENSSL_SECONDS), 'rsa2048'];
  const { stdout } = await promisify(execFile)('openssl', args);
  // "rsa 2048 bits 0.000267s 0.000008s   3745.3 125000.0": sign and verify, seconds and then a second.
  const perSecond = /^rsa +2048 bits +\S+ +\S+ +(\S+) +\S+/m.exec(stdout)?.[1];
  if (perSecond === undefined) throw new Error(`openssl said nothing that can be read:\n${stdout}`);
  return Number(perSecond);
}

if (import.meta.main) await runAlone(sdkSync);
