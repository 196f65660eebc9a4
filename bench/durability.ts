import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { sealed } from '@symbolon/testkit/actors/actors';
import { openDatabase } from '../packages/server/src/db/open.ts';
import {
  type BenchPerson,
  connectPerson,
  createService,
  editRequest,
  sealedValues,
} from './support/actors.ts';
import { LoadGenerator } from './support/load.ts';
import { dataFolder, Platform } from './support/platform.ts';
import { atLeast, type Benchmark, figure, runAlone } from './support/report.ts';
import { rounds, sized, warmUps } from './support/setting.ts';
import { median, quantile } from './support/stats.ts';

const ROUNDS = rounds(7);
const SECONDS = sized(2, 0.05);
const PEOPLE = sized(50, 3);
const KILLS = Number(process.env.BENCH_KILLS ?? sized(20, 1));

/** Edits that were acknowledged are on disk: how many a second, and what a killed process has left. */
export const durability: Benchmark = async () => {
  await using folder = await dataFolder();
  const syncs = await countSyncs();
  const ready = await prepare(folder.path);
  const rates = await measureRates(ready);
  const { acknowledged, lost } = await killAndCount(folder.path, ready);

  return {
    title: 'Acknowledged edits',
    how: `\`PUT /api/person/fields/{id}\` with a sealed value and the copy for one service, each raising its event; ${ROUNDS} rounds of ${SECONDS} s, medians. Then ${KILLS} times: ${PEOPLE} people edit at once, the process is killed (SIGKILL) when some of them have been answered, and what was acknowledged is looked for after a restart. The log is synced before each answer, which covers the power cut that a kill cannot show.`,
    table: {
      head: ['edits', 'acknowledged/s', 'p50 ms', 'p95 ms', 'p99 ms'],
      rows: rates.map(({ people, perSecond, p50, p95, p99 }) => [
        people === 1 ? 'one after the other' : `${people} people at once`,
        figure(perSecond, 0),
        figure(p50),
        figure(p95),
        figure(p99),
      ]),
    },
    bars: [
      ...rates.map(({ people, perSecond }) =>
        people === 1
          ? atLeast('edits one after the other', perSecond, 1_400, '/s')
          : atLeast(`edits by ${people} people at once`, perSecond, 4_400, '/s'),
      ),
      {
        what: `syncs of the log for ${COMMITS} commits, each before its answer`,
        measured: String(syncs),
        bar: String(COMMITS),
        met: syncs === COMMITS,
      },
      {
        what: `lost of ${figure(acknowledged, 0)} acknowledged before ${KILLS} kills`,
        measured: String(lost),
        bar: '0',
        met: lost === 0 && acknowledged > 0,
      },
    ],
  };
};

const COMMITS = 20;

/** How often the server's own code brings the log to the disk, for commits one after the other. */
async function countSyncs(): Promise<number> {
  await using folder = await dataFolder();
  const database = await openDatabase({ databaseUrl: undefined, dataDir: folder.path });
  const { fdatasync } = fs;
  let syncs = 0;
  fs.fdatasync = ((...args: Parameters<typeof fdatasync>) => {
    syncs++;
    fdatasync(...args);
  }) as typeof fdatasync;
  syncBuiltinESMExports();
  try {
    for (let index = 0; index < COMMITS; index++)
      await database.write((writer) =>
        writer
          .insertInto('share_codes')
          .values({ code: String(index), kind: 'person', subject_id: 'p' })
          .execute(),
      );
  } finally {
    fs.fdatasync = fdatasync;
    syncBuiltinESMExports();
    await database.stop();
  }
  return syncs;
}

interface Ready {
  readonly platform: Platform;
  readonly people: readonly BenchPerson[];
}

async function prepare(path: string): Promise<Ready> {
  const platform = await Platform.start(path);
  const service = await createService(platform);
  const people: BenchPerson[] = [];
  while (people.length < PEOPLE) people.push(await connectPerson(platform, service));
  return { platform, people };
}

async function measureRates({ platform, people }: Ready) {
  const generator = await LoadGenerator.start();
  const value = await sealed('Paris');
  const sides = [1, PEOPLE].map((count) => ({
    lanes: people.slice(0, count).map((person) => editRequest(platform, person, value)),
    rates: [] as number[],
    p50: [] as number[],
    p95: [] as number[],
    p99: [] as number[],
  }));
  for (let round = -warmUps(1); round < ROUNDS; round++) {
    for (const side of sides) {
      const result = await generator.run({ lanes: side.lanes, seconds: SECONDS });
      if (round < 0) continue;
      side.rates.push(result.requests / (result.elapsedMs / 1000));
      side.p50.push(median(result.latenciesMs));
      side.p95.push(quantile(result.latenciesMs, 0.95));
      side.p99.push(quantile(result.latenciesMs, 0.99));
    }
  }
  await generator.stop();
  return sides.map(({ lanes, rates, p50, p95, p99 }) => ({
    people: lanes.length,
    perSecond: median(rates),
    p50: median(p50),
    p95: median(p95),
    p99: median(p99),
  }));
}

async function killAndCount(path: string, ready: Ready): Promise<{ acknowledged: number; lost: number }> {
  let { platform } = ready;
  let acknowledged = 0;
  let lost = 0;
  for (let round = 0; round < KILLS; round++) {
    // From the first answer to nearly the last.
    const killAfter = 1 + Math.floor((round / KILLS) * (PEOPLE - 1));
    const answered = new Map<BenchPerson, string>();
    const enough = Promise.withResolvers<void>();
    const values = await sealedValues(PEOPLE, (index) => `kill ${round} of ${index}`);
    const edits = ready.people.map(async (person, index) => {
      const value = values[index] ?? '';
      const { url, method, headers, body = '' } = editRequest(platform, person, value);
      try {
        const response = await fetch(url, { method, headers: { ...headers }, body });
        if (!response.ok) throw new Error(`PUT: ${response.status} ${await response.text()}`);
        answered.set(person, value);
        if (answered.size >= killAfter) enough.resolve();
      } catch (error) {
        // The rest of a killed platform's answers never come.
        if (!(error instanceof TypeError)) enough.reject(error);
      }
    });
    await enough.promise;
    await platform.kill();
    await Promise.all(edits);
    platform = await Platform.start(path);
    acknowledged += answered.size;
    for (const [person, value] of answered) {
      const { token, fieldId } = person;
      const stored = await platform.must('GET', `/api/person/fields/${fieldId}`, { token });
      if (stored.value !== value) lost += 1;
    }
  }
  await platform.stop();
  return { acknowledged, lost };
}

if (import.meta.main) await runAlone(durability);
