import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { startPlatform } from '@symbolon/testkit/platform/platform';
import { BUDGETED } from '../../bench/support/budget.ts';
import { Calls, type TimedCall } from '../../bench/support/calls.ts';
import { type ActName, openDay } from '../../bench/support/day.ts';
import { type Counters, metered } from '../../bench/support/metered.ts';
import { openSql } from '../../bench/support/sql.ts';
import { Capture } from './support/capture.ts';

/*
 * What an everyday call asks of the embedded database, whatever the machine: statements, rows that they give, rows that they change. A call
 * that asks for more than counts.json says fails. Who means it writes the new counts: SYMBOLON_COUNTS=write npm test -- test/size/counts
 */

const FILE = new URL('counts.json', import.meta.url);
const CUSTOMERS = 6;
/** The first calls fill caches, and in some rounds a job runs beside the call. */
const ROUNDS = 8;

test('everyday calls ask no more of the database than they did', async () => {
  using capture = new Capture();
  await using platform = await startPlatform('sqlite');
  await using sql = await openSql('sqlite', platform.dataDir);
  const { acts } = await openDay(platform, sql, CUSTOMERS);
  const calls = new Calls(platform.url, 1);
  const send = async (all: readonly TimedCall[]) => {
    const bodies: string[] = [];
    for (const call of all) {
      const { status, text } = await calls.send(call);
      assert.ok(status < 300, `${call.method} ${call.path}: ${status} ${text}`);
      bodies.push(text);
    }
    return bodies;
  };
  const measured: Record<string, Counters> = {};
  try {
    for (const name of Object.keys(BUDGETED)) {
      const rounds: Counters[] = [];
      while (rounds.length < ROUNDS) {
        rounds.push(await metered(acts[name as ActName], 1, send, async () => ({ ...capture.counted() })));
      }
      measured[name] = leastOf(rounds);
    }
  } finally {
    await calls.close();
  }
  if (process.env.SYMBOLON_COUNTS === 'write') writeFileSync(FILE, `${JSON.stringify(measured, null, 2)}\n`);
  assert.deepEqual(measured, JSON.parse(readFileSync(FILE, 'utf8')));
});

/** Of each counter, as caches are full and no job ran beside the call. */
function leastOf(rounds: readonly Counters[]): Counters {
  const names = Object.keys(rounds[0] ?? {});
  return Object.fromEntries(
    names.map((name) => [name, Math.min(...rounds.map((round) => round[name] ?? 0))]),
  );
}
