import {
  answerRow,
  insertAll,
  insertConnections,
  insertPeople,
  type RowPlace,
} from '@symbolon/testkit/platform/rows';
import { sql } from 'kysely';
import { systemClock } from '../../packages/server/src/core/clock.ts';
import { createIds } from '../../packages/server/src/core/ids.ts';
import { openDatabase } from '../../packages/server/src/db/open.ts';
import type { BenchService } from './actors.ts';

export type Seed = RowPlace & AsyncDisposable;

/** The embedded database of a platform that may be running, to write rows past its API. */
export async function openSeed(dataDir: string): Promise<Seed> {
  const database = await openDatabase({ databaseUrl: undefined, dataDir });
  return {
    clock: systemClock,
    context: { database, ids: createIds(systemClock) },
    async [Symbol.asyncDispose]() {
      // What follows measures queries, not the checkpoint of what was seeded.
      await sql`pragma wal_checkpoint(truncate)`.execute(database.schema);
      await database.stop();
    },
  };
}

/**
 * Connects new people to a service, each with an answer to every one of its rows.
 *
 * @param value the sealed answer of a connection to a row
 * @param key the public key of all of them; without one nothing can be sealed to them
 */
export async function connectMany(
  seed: Seed,
  service: BenchService,
  count: number,
  value: (connection: number, row: number) => string,
  key?: Parameters<typeof insertPeople>[2],
): Promise<{ connectionId: string; personId: string; shareCode: string }[]> {
  const people = await insertPeople(seed, count, key);
  const connectionIds = await insertConnections(seed, service, people);
  const answers = connectionIds.flatMap((connectionId, index) =>
    Object.values(service.rows).map((requestFieldId, position) => ({
      ...answerRow(seed, service, { connectionId, requestFieldId }, { value: value(index, position) }),
      field_id: seed.context.ids.uuid(),
      field_version: 1,
    })),
  );
  await seed.context.database.write((writer) => insertAll(writer, 'slot_values', answers));
  return people.map(({ id: personId, share_code: shareCode }, index) => ({
    ...{ connectionId: connectionIds[index] ?? '', personId, shareCode },
  }));
}
