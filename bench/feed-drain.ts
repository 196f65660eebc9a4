import { copyFile } from 'node:fs/promises';
import { Event } from '@symbolon/protocol';
import { insertAll } from '@symbolon/testkit/platform/rows';
import { databasePath } from '../packages/server/src/db/database-path.ts';
import { type BenchService, createService, dataToken, FIVE_ROWS, sealedValues } from './support/actors.ts';
import { Child } from './support/child.ts';
import { LoadGenerator } from './support/load.ts';
import { dataFolder, Platform } from './support/platform.ts';
import { atLeast, type Benchmark, figure, runAlone } from './support/report.ts';
import { connectMany, openSeed, type Seed } from './support/seed.ts';
import { rounds, sized, warmUps } from './support/setting.ts';
import { median, pairedRatio } from './support/stats.ts';

const ROUNDS = rounds(15);
const BATCH = 500;
const CONNECTIONS = sized(4_000, 100);

type Connected = Awaited<ReturnType<typeof connectMany>>;

/** Draining the feed over HTTP beside a bare program that selects, deletes and serialises the same rows. */
export const feedDrain: Benchmark = async () => {
  await using folder = await dataFolder();
  await using rawFolder = await dataFolder();
  await using platform = await Platform.start(folder.path);
  const service = await createService(platform);
  const token = await dataToken(platform, service);
  let connected: Connected;
  const values = await sealedValues(FIVE_ROWS.length, (row) => `${FIVE_ROWS[row]?.slug} of somebody`);
  {
    await using seed = await openSeed(folder.path);
    connected = await connectMany(seed, service, CONNECTIONS, (_, row) => values[row] ?? '');
  }
  // Nothing has been written since the checkpoint: the file is the whole database.
  await copyFile(databasePath(folder.path), databasePath(rawFolder.path));
  const raw = await Child.start<null>('raw-drain.ts', [databasePath(rawFolder.path)]);
  const generator = await LoadGenerator.start();

  const events = CONNECTIONS * FIVE_ROWS.length;
  const ours = { rates: [] as number[], cpu: [] as number[] };
  const theirs = { rates: [] as number[], cpu: [] as number[] };
  let eventBytes = 0;
  for (let round = -warmUps(1); round < ROUNDS; round++) {
    for (const { path } of [folder, rawFolder]) {
      await using seed = await openSeed(path);
      await raise(seed, service, connected);
    }
    const before = await platform.usage();
    const drained = await generator.run({
      lanes: [
        {
          url: `${platform.url}/api/company-data/changes?limit=${BATCH}`,
          method: 'GET',
          headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
        },
      ],
      seconds: 600,
      // The one more finds nothing and confirms the last batch.
      requests: events / BATCH + 1,
    });
    const after = await platform.usage();
    const rawBefore = await raw.usage();
    const rawDrained = await raw.ask<{ rows: number; bytes: number; elapsedMs: number }>({
      serviceId: service.id,
      batch: BATCH,
    });
    const rawAfter = await raw.usage();
    const empty = '{"changes":[]}'.length;
    if (rawDrained.rows !== events || drained.bodyBytes - empty !== rawDrained.bytes) {
      throw new Error(`The sides differ: ${drained.bodyBytes - empty} bytes and ${rawDrained.bytes}.`);
    }
    eventBytes = rawDrained.bytes / events;
    if (round < 0) continue;
    ours.rates.push(events / (drained.elapsedMs / 1000));
    ours.cpu.push((after.cpuMicros - before.cpuMicros) / events);
    theirs.rates.push(events / (rawDrained.elapsedMs / 1000));
    theirs.cpu.push((rawAfter.cpuMicros - rawBefore.cpuMicros) / events);
  }
  await Promise.all([raw.stop(), generator.stop()]);

  return {
    title: 'Draining the feed',
    how: `\`GET /api/company-data/changes?limit=${BATCH}\`, one consumer on one connection, ${figure(events, 0)} \`field_updated\` events of ${figure(eventBytes, 0)} bytes a round, ${ROUNDS} interleaved rounds, medians. Beside it a bare node:sqlite program: same rows, same batch, one durable commit a batch, the same JSON to the byte.`,
    table: {
      head: ['side', 'events/s', 'CPU µs/event'],
      rows: [
        ['Symbolon over HTTP', figure(median(ours.rates), 0), figure(median(ours.cpu))],
        ['bare node:sqlite', figure(median(theirs.rates), 0), figure(median(theirs.cpu))],
      ],
    },
    bars: [atLeast('of the raw rate', pairedRatio(ours.rates, theirs.rates), 0.72)],
  };
};

/** One undelivered edit of every answer. */
function raise({ context }: Seed, service: BenchService, connected: Connected): Promise<void> {
  const at = Date.now();
  const changes = connected.flatMap(({ connectionId, personId, shareCode }) =>
    Object.entries(service.rows).map(([slug, rowId]) => ({
      id: context.ids.uuid(),
      company_id: service.company.id,
      service_id: service.id,
      feed: service.id,
      connection_id: connectionId,
      customer_id: personId,
      customer_type: 'person' as const,
      share_code: shareCode,
      event: Event.fieldUpdated,
      request_field_id: rowId,
      slug,
      collapse_key: `field:${connectionId}:${rowId}`,
      payload: '{}',
      at,
    })),
  );
  return context.database.write((writer) => insertAll(writer, 'changes', changes));
}

if (import.meta.main) await runAlone(feedDrain);
