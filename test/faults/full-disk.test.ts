import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registerCompany } from '@symbolon/testkit/actors/actors';
import { engines } from '@symbolon/testkit/platform/engines';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { FakeClock, startPlatform } from '@symbolon/testkit/platform/platform';
import { startPostgres } from '@symbolon/testkit/servers/postgres';
import { isAtLength } from '@symbolon/testkit/thoroughness';
import { pino } from 'pino';
import { ext4Disk, noDisks } from '../chaos/support/disks.ts';

/** As long as several tries of the database take, which come every second. */
const FULL_MS = 10_000;
const MEGABYTES = 400;

/** Tries are counted by the time that passes. */
class RealClock extends FakeClock {
  override now(): number {
    return Date.now();
  }
}

const skip =
  (!isAtLength && 'it takes ten seconds: only with --all') ||
  (!engines.includes('postgres') && 'PostgreSQL not found');

test('health and log say once that the disk of PostgreSQL is full, and once that it has room', {
  skip,
}, async (t) => {
  const reason = await noDisks();
  if (reason !== false) return t.skip(reason);
  const disk = await ext4Disk(MEGABYTES);
  if (disk === undefined) return t.skip('loop devices are missing');
  const ending: (() => Promise<unknown>)[] = [() => disk.remove()];
  t.after(async () => {
    for (const end of ending.reverse()) await end();
  });
  const settings = { max_wal_size: '64MB', wal_recycle: 'off' };
  const postgres = await startPostgres({ durable: true, folder: disk.folder, settings });
  assert.ok(postgres);
  ending.push(() => postgres.stop());
  const lines: string[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line).msg);
  const platform = await startPlatform('postgres', { DATABASE_URL: postgres.url }, new RealClock(), {
    log: pino({ level: 'info' }, { write }),
  });
  ending.push(() => platform.stop());
  const { token } = await registerCompany(platform);
  let names = 0;
  /** The key of the refusal. */
  const save = async () => {
    const body = { display_name: `Company ${++names}` };
    return (await platform.call('PUT', '/api/profile', { token, body })).body.error_key as string | undefined;
  };
  const health = async () => (await platform.call('GET', '/api/health')).body;
  const told = () => lines.filter((line) => line?.startsWith('database '));

  await disk.fill();
  await eventually('something is not saved', async () => ((await save()) === undefined ? undefined : true));
  const refusals = new Map<string | undefined, number>();
  const states = new Map<string, number>();
  const count = <Key>(counts: Map<Key, number>, key: Key) => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const end = performance.now() + FULL_MS; performance.now() < end; ) {
    count(states, (await health()).status);
    count(refusals, await save());
  }
  t.diagnostic(`${JSON.stringify([...states])} ${JSON.stringify([...refusals])}`);
  assert.deepEqual([...states.keys()], ['writes_paused']);
  assert.deepEqual(told(), ['database unavailable: its disk is full, nothing can be saved']);
  await disk.free();
  await eventually('it is saved again', async () => ((await health()).status === 'ok' ? true : undefined));
  assert.equal(await save(), undefined);
  assert.equal(told().length, 2);
  assert.match(told()[1] ?? '', /^database available again after \d+ s$/);
});
