import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { AdminProcess, Statistics } from '@symbolon/protocol';
import { OPERATOR, onEachEngine } from '@symbolon/testkit/platform/platform';
import { pino } from 'pino';
import { createContext } from '../../../context.ts';
import { version } from '../../../core/version.ts';
import { stopServing } from '../../../roles/server.ts';
import { putProcess } from './store.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

onEachEngine('the processes of an installation', (platform) => {
  const listed = async (): Promise<AdminProcess[]> => {
    const { processes }: Statistics = await platform().must('GET', '/api/admin/statistics', {
      token: OPERATOR,
    });
    return processes;
  };
  const own = async () => (await listed()).find((row) => row.this) ?? assert.fail('It is not listed.');
  const now = () => new Date(platform().clock.now()).toISOString();
  /** Writes rows of processes that ended without a word. */
  const leave = (count: number, name: string) =>
    platform().context.database.write(async (writer) => {
      for (let n = 0; n < count; n++)
        await putProcess(writer, {
          id: `${name}-${n}`,
          ...{
            instance: `${name}:${n}`,
            host: name,
            pid: n,
            roles: 'worker',
            version: '0.0.9',
            region: 'local',
          },
          started_at: platform().clock.now(),
          seen_at: platform().clock.now(),
          figures: '{}',
        });
    });
  const rowsLeft = async (name: string) =>
    platform()
      .context.database.reader.selectFrom('processes')
      .select('id')
      .where('host', '=', name)
      .execute();

  test('a process tells of itself from its start on, and again and again', async () => {
    assert.deepEqual(await listed(), []);
    const started = now();
    await platform().context.processes.write();
    const { instance } = platform().context;
    const { id, memory_bytes: memory, ...row } = await own();
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.ok(memory !== null && memory > 0);
    assert.deepEqual(
      [row.instance, row.version, row.region, row.pid],
      [instance, version, 'local', process.pid],
    );
    assert.deepEqual([row.roles.includes('region'), row.state, row.gone], [true, 'serving', false]);
    assert.deepEqual([row.started_at, row.seen_at], [started, started]);
    platform().clock.advance(15_000);
    await platform().call('GET', '/api/account');
    await platform().context.processes.write();
    const renewed = await own();
    assert.deepEqual([renewed.id, renewed.started_at, renewed.seen_at], [id, started, now()]);
    assert.ok(Number(renewed.requests_per_second) > 0, `${renewed.requests_per_second} a second`);
    assert.equal(renewed.errors, 0);
    assert.equal((await listed()).length, 1);
  });

  test('it is gone when it was not seen for a minute, and comes last', async () => {
    await leave(1, 'alpha');
    platform().clock.advance(MINUTE_MS);
    assert.deepEqual(new Set((await listed()).map(({ gone }) => gone)), new Set([false]));
    platform().clock.advance(1);
    await platform().context.processes.write();
    const shown = (await listed()).map(({ host, gone }) => [host === 'alpha', gone]);
    assert.deepEqual(shown, [
      [false, false],
      [true, true],
    ]);
    // Its version says less of itself.
    const [, alpha] = await listed();
    assert.deepEqual([alpha?.state, alpha?.memory_bytes, alpha?.version], ['serving', null, '0.0.9']);
  });

  test('it is deleted after a day', async () => {
    await leave(1, 'beta');
    platform().clock.advance(DAY_MS - 1);
    await platform().must('POST', '/api/admin/purge', { token: OPERATOR });
    assert.equal((await rowsLeft('beta')).length, 1);
    platform().clock.advance(1);
    await platform().must('POST', '/api/admin/purge', { token: OPERATOR });
    assert.deepEqual(await rowsLeft('beta'), []);
  });

  test('it says what keeps it from serving', async () => {
    const { availability, processes } = platform().context;
    const state = async () => {
      await processes.write();
      return (await own()).state;
    };
    availability.failingWork.add('the test');
    assert.equal(await state(), 'degraded');
    availability.failingWork.delete('the test');
    for (const [path, told] of [
      ['writes-paused', 'writes_paused'],
      ['out-of-order', 'out_of_order'],
    ] as const) {
      const set = (on: boolean) =>
        platform().must('PUT', `/api/admin/maintenance/${path}`, { token: OPERATOR, body: { on } });
      await set(true);
      assert.equal(await state(), told);
      await set(false);
    }
    assert.equal(await state(), 'serving');
  });

  test('of processes that started and failed again and again few rows are left', async () => {
    await leave(230, 'gamma');
    platform().clock.advance(MINUTE_MS + 1);
    await using other = await second();
    await other.start();
    assert.equal((await rowsLeft('gamma')).length, 200);
    assert.equal((await listed()).length, 200);
  });

  test('another process on the database is listed until it stops, and says that it does', async () => {
    const other = await second();
    after(() => other.stop());
    await platform().context.processes.write();
    await other.start();
    const others = async () => (await listed()).filter((row) => !row.this && row.instance === 'second');
    assert.deepEqual(
      (await others()).map(({ gone, state }) => [gone, state]),
      [[false, 'serving']],
    );
    other.drain();
    await other.processes.write();
    assert.deepEqual(
      (await others()).map(({ state }) => state),
      ['draining'],
    );
    await other.stop();
    assert.deepEqual(await others(), []);
    assert.equal((await own()).gone, false);
  });

  /** On PostgreSQL a process of its own; the embedded database is of one process, which says it under another name. */
  async function second() {
    const { config, database } = platform().context;
    const log = pino({ level: 'silent' });
    const context = await createContext({ ...config, instance: 'second' }, { clock: platform().clock, log });
    assert.equal(context.core.database.engine, database.engine);
    const { processes } = context.operator;
    let stopping: Promise<void> | undefined;
    const stop = () => {
      stopping ??= processes.stop().finally(() => stopServing(context));
      return stopping;
    };
    return {
      processes,
      drain: () => processes.drain(),
      async start() {
        processes.start();
        await processes.write();
      },
      stop,
      [Symbol.asyncDispose]: stop,
    };
  }
});
