import assert from 'node:assert/strict';
import type { Answer, Call } from '../platform/calls.ts';
import type { TestPlatform } from '../platform/platform.ts';
import { proves } from './evidence.ts';
import type { RowId } from './evidence-rows.ts';

/** What a person's calls may write. */
const TABLES = [
  'persons',
  'share_codes',
  'person_fields',
  'verification_codes',
  'services',
  'connections',
  'slot_values',
  'consent_rows',
  'changes',
] as const;

/** Every row a person's call could have written, as text to compare. */
export async function snapshot(platform: TestPlatform): Promise<Record<string, string[]>> {
  const entries = await Promise.all(
    TABLES.map(async (table) => {
      const rows = await platform.context.database.reader.selectFrom(table).selectAll().execute();
      const staying = rows.filter((row) => !('given_to' in row) || row.given_to === null);
      return [table, staying.map((row) => JSON.stringify(row)).sort()] as const;
    }),
  );
  return Object.fromEntries(entries);
}

/** Makes a call that must be refused under a key, and must not have written anything. */
export async function refused(
  platform: TestPlatform,
  expected: readonly [status: number, key: string],
  method: string,
  path: string,
  call: Call,
): Promise<Answer> {
  const before = await snapshot(platform);
  const answer = await platform.call(method, path, call);
  assert.deepEqual([answer.status, answer.body?.error_key], expected, answer.text);
  const { changes, ...rest } = await snapshot(platform);
  const { changes: changesBefore, ...restBefore } = before;
  assert.deepEqual(rest, restBefore, 'a refused call wrote something');
  // What a client has drained goes away by its silence, a few seconds later; SQLite marks no row until then.
  const raised = changes?.filter((row) => !changesBefore?.includes(row));
  assert.deepEqual(raised, [], 'a refused call raised an event');
  proves(`error:${expected[1]}` as RowId);
  return answer;
}
