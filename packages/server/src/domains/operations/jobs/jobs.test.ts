import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createService, registerCompany, type TestService } from '@symbolon/testkit/actors/actors';
import { onEachEngine } from '@symbolon/testkit/platform/platform';
import { writesPaused } from '../../../db/paused-writes.ts';
import { JobWorker } from './job-worker.ts';
import type { JobKind } from './jobs.ts';

interface Counted {
  readonly at: number;
  readonly to: number;
}

onEachEngine('work that an act leaves to a worker', (platform) => {
  let first: TestService;
  let second: TestService;
  let companyId: string;
  /** The steps that were taken: the name of the job, and where it stands. */
  let taken: string[] = [];
  /** Thrown by the next step. */
  let fault: Error | undefined;
  /** Thrown by the steps of a company. */
  let refused = new Map<string, Error>();
  /** How many rows each step was allowed. */
  let allowed: (readonly [name: string, most: number])[] = [];

  const counting: JobKind<Counted & { name: string }> = {
    name: 'test_counting',
    // One row a step: how many a step may have follows the time that others took.
    async step(writer, { companyId, state }, most) {
      allowed.push([state.name, most]);
      const at = state.at + 1;
      await writer
        .updateTable('services')
        .set({ name: `at ${at}` })
        .where('id', '=', first.id)
        .execute();
      if (fault !== undefined) throw fault;
      const refusal = refused.get(companyId);
      if (refusal !== undefined) throw refusal;
      taken.push(`${state.name} ${at}`);
      return { state: { ...state, at }, done: 1, finished: at === state.to };
    },
  };

  before(async () => {
    const company = await registerCompany(platform());
    companyId = company.id;
    first = await createService(platform(), company);
    second = await createService(platform(), company);
    platform().context.jobs.register(counting);
  });

  const addTo = (company: string, serviceId: string, name: string, to: number) =>
    platform().context.database.write((writer) =>
      platform().context.jobs.add(writer, {
        kind: counting.name,
        companyId: company,
        serviceId,
        state: { name, at: 0, to },
        total: to,
      }),
    );
  const add = (service: TestService, name: string, to: number) => addTo(companyId, service.id, name, to);
  /** A job for each of many services of the first company, which are deleted but for what the jobs do. */
  const addMany = async (name: string, count: number, to: number) => {
    for (let n = 0; n < count; n++) await addTo(companyId, platform().context.ids.uuid(), name, to);
  };
  const rowOf = async (id: string) => {
    const rows = await platform().context.database.reader.selectFrom('jobs').selectAll().execute();
    return rows.find((row) => row.id === id);
  };

  test('runs the jobs of a service in their order, and services in turns', async () => {
    taken = [];
    await add(first, 'a', 3);
    await add(first, 'b', 1);
    await add(second, 'c', 2);
    await platform().context.jobWorker.run();
    assert.deepEqual(taken, ['a 1', 'c 1', 'a 2', 'c 2', 'a 3', 'b 1']);
  });

  test('says how far a job is, and when it was done', async () => {
    const id = await add(first, 'd', 3);
    assert.deepEqual(
      [(await rowOf(id))?.done, (await rowOf(id))?.total, (await rowOf(id))?.stepped_at],
      [0, 3, null],
    );
    await platform().context.jobWorker.run();
    const row = await rowOf(id);
    assert.deepEqual([row?.done, row?.total, row?.finished_at], [3, 3, platform().clock.now()]);
  });

  test('tries a step again that failed, with nothing of it written, and lets other services go on', async () => {
    taken = [];
    fault = new Error('no such luck');
    const id = await add(first, 'e', 1);
    await platform().context.jobWorker.run();
    const row = await rowOf(id);
    assert.deepEqual([row?.done, row?.failures, row?.problem], [0, 1, 'no such luck']);
    fault = undefined;
    await add(second, 'f', 1);
    await platform().context.jobWorker.run();
    assert.deepEqual(taken, ['f 1'], 'the job that failed waits for a while');
    platform().clock.advance(1000);
    await platform().context.jobWorker.run();
    assert.deepEqual(taken, ['f 1', 'e 1']);
    assert.equal((await rowOf(id))?.failures, 0);
  });

  test('waits while the company cannot be written to, which is no failure', async () => {
    taken = [];
    fault = writesPaused();
    const id = await add(first, 'w', 1);
    await platform().context.jobWorker.run();
    fault = undefined;
    const row = await rowOf(id);
    assert.deepEqual([row?.done, row?.failures, row?.problem], [0, 0, null]);
    platform().clock.advance(2000);
    await platform().context.jobWorker.run();
    assert.deepEqual(taken, ['w 1']);
  });

  test('is shared by several workers without a step taken twice', async () => {
    taken = [];
    await add(first, 'g', 20);
    await add(second, 'h', 20);
    const { context } = platform();
    const others = [1, 2].map(() => new JobWorker(context));
    await Promise.all([context.jobWorker, ...others].map((worker) => worker.run()));
    const steps = (name: string) => taken.filter((step) => step.startsWith(name));
    // On PostgreSQL a transaction may run again; its result then is the same.
    for (const name of ['g', 'h'])
      assert.deepEqual(
        steps(name),
        Array.from({ length: 20 }, (_, index) => `${name} ${index + 1}`),
      );
  });

  test('refuses an unknown kind, with the act that asks for it', async () => {
    await assert.rejects(
      platform().context.database.write((writer) =>
        platform().context.jobs.add(writer, {
          kind: 'unheard_of',
          companyId,
          serviceId: first.id,
          state: {},
          total: 1,
        }),
      ),
      /no kind of job called unheard_of/,
    );
  });

  test('keeps what is done for seven days', async () => {
    const id = await add(first, 'i', 1);
    await platform().context.jobWorker.run();
    const sweep = () => platform().context.jobWorker.sweep(new AbortController().signal);
    platform().clock.advance(7 * 24 * 3_600_000);
    await sweep();
    assert.notEqual(await rowOf(id), undefined);
    platform().clock.advance(1);
    await sweep();
    assert.equal(await rowOf(id), undefined);
  });

  test('companies take turns, however many services one has with jobs', async () => {
    taken = [];
    const small = await createService(platform(), await registerCompany(platform()));
    await addMany('many', 40, 2);
    await addTo(small.company.id, small.id, 'small', 3);
    await platform().context.jobWorker.run();
    const order = taken.map((step) => step.split(' ')[0]);
    assert.ok(
      order.lastIndexOf('small') < 3 * 16,
      `all of the small one within ${order.lastIndexOf('small')} steps`,
    );
    assert.equal(order.filter((name) => name === 'many').length, 80, 'and all of the others');
  });

  test('many jobs that cannot go on keep none of another company from going on', async () => {
    taken = [];
    refused = new Map([[companyId, writesPaused()]]);
    await addMany('stuck', 520, 1);
    const other = await createService(platform(), await registerCompany(platform()));
    await addTo(other.company.id, other.id, 'free', 2);
    await platform().context.jobWorker.run();
    assert.deepEqual(taken, ['free 1', 'free 2']);
    refused = new Map();
    platform().clock.advance(2000);
    await platform().context.jobWorker.run();
    assert.equal(taken.filter((step) => step.startsWith('stuck')).length, 520);
  });

  test('a job does not wait longer because the clock was set back', async () => {
    taken = [];
    fault = new Error('no such luck');
    await add(first, 'k', 1);
    await platform().context.jobWorker.run();
    fault = undefined;
    platform().clock.advance(-3_600_000);
    await platform().context.jobWorker.run();
    assert.deepEqual(taken, ['k 1']);
    platform().clock.advance(3_600_000);
  });

  test('each job learns the size of its steps, and a step that fails is a smaller one next time', async () => {
    allowed = [];
    taken = [];
    await add(first, 'l', 6);
    await platform().context.jobWorker.run();
    await add(first, 'm', 1);
    fault = writesPaused(Object.assign(new Error('canceling statement'), { code: '57014' }));
    const id = await add(second, 'n', 1);
    await platform().context.jobWorker.run();
    fault = undefined;
    assert.deepEqual(allowed.filter(([name]) => name === 'm')[0], ['m', 16]);
    assert.equal(
      (await rowOf(id))?.failures,
      1,
      'a step that takes too long is a failure that operators see',
    );
    platform().clock.advance(2000);
    await platform().context.jobWorker.run();
    const least = platform().context.database.engine === 'sqlite' ? 8 : 16;
    assert.deepEqual(
      allowed.filter(([name]) => name === 'n'),
      [
        ['n', 16],
        ['n', least],
      ],
    );
  });
});
