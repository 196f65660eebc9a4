import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { createService, registerCompany, type TestCompany } from '@symbolon/testkit/actors/actors';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { OPERATOR_READS } from '@symbolon/testkit/platform/places';
import { OPERATOR, onEachEngine, onPlatform } from '@symbolon/testkit/platform/platform';
import { version } from '../../../core/version.ts';

onPlatform('what the operator watches', (platform) => {
  const operate = (method: string, path: string, body?: unknown) =>
    platform().call(method, `/api/admin${path}`, {
      token: OPERATOR,
      ...(body === undefined ? {} : { body }),
    });

  test('a process says of itself whether it can do its work, and what it is', async () => {
    const { body } = await eventually('the outcome of each check', async () => {
      const answer = await operate('GET', '/readiness');
      const checks: { state: string }[] = Object.values(answer.body.checks);
      return checks.every(({ state }) => state === 'ok') ? answer : undefined;
    });
    assert.deepEqual([body.status, body.may_act], ['ready', true]);
    const read = await platform().must('GET', '/api/admin/readiness', { token: OPERATOR_READS });
    assert.equal(read.may_act, false);
    for (const [check, needed] of [
      ['database', true],
      ['migrations', true],
      ['disk', true],
      ['files', false],
      ['mail', false],
      ['workers', false],
    ] as const)
      assert.equal(body.checks[check].needed, needed, check);
    assert.match(body.checks.disk.detail, /MiB are free/);
    const {
      instance,
      region,
      roles,
      version: told,
      started_at: started,
      memory_bytes: memory,
    } = body.process;
    assert.deepEqual([region, told], ['local', version]);
    assert.ok(instance.includes(':') && roles.includes('region') && memory > 0);
    assert.equal(started, new Date(platform().clock.now()).toISOString());
    assert.ok(body.disk.free_bytes > 0 && body.disk.size_bytes > body.disk.free_bytes);
  });

  test('work that fails makes it degraded, and is named', async () => {
    const { availability } = platform().context;
    availability.failingWork.add('the test');
    const { body } = await eventually('the check is made again', async () => {
      const answer = await operate('GET', '/readiness');
      return answer.body.checks.workers.state === 'failed' ? answer : undefined;
    });
    availability.failingWork.delete('the test');
    assert.deepEqual([body.status, body.checks.workers.detail], ['degraded', 'failing: the test']);
  });

  test('a process says what it answered in the last five minutes, and that it has no certificate', async () => {
    const numbers = async () => (await operate('GET', '/statistics')).body;
    platform().clock.advance(300_000);
    const { requests, certificates } = await numbers();
    assert.deepEqual(
      [requests, certificates],
      [
        { seconds: 290, total: 0, refused: 0, errors: 0, p99_ms: null },
        { seal: null, tls: null },
      ],
    );
    for (let n = 0; n < 3; n++) assert.equal((await platform().call('GET', '/api/account')).status, 401);
    await operate('PUT', '/maintenance/out-of-order', { on: true });
    assert.equal((await platform().call('GET', '/api/account')).status, 503);
    await operate('PUT', '/maintenance/out-of-order', { on: false });
    const { p99_ms: p99, ...counted } = (await numbers()).requests;
    assert.deepEqual(counted, { seconds: 290, total: 7, refused: 0, errors: 1 });
    assert.ok(Number.isInteger(p99) && p99 > 0, p99);
    platform().clock.advance(300_000);
    assert.equal((await numbers()).requests.total, 0, 'they are too long ago');
  });

  test('a test mail is sent, what became of it is told, and that it was sent is on record', async () => {
    const { status, body } = await operate('POST', '/mail-test', { to: 'ops@example.com' });
    assert.deepEqual([status, body.sent, body.through, body.reason], [200, true, 'outbox', null]);
    const outbox = join(platform().dataDir, 'outbox');
    const [name = ''] = (await readdir(outbox)).filter((each) => body.talk[0].endsWith(each));
    assert.match(await readFile(join(outbox, name), 'utf8'), /^To: ops@example\.com$/m);
    const [act] = (await operate('GET', '/acts?limit=1')).body.items;
    assert.deepEqual([act.act, act.details], ['mail.tested', { sent: true }]);
    for (const to of ['', 'nobody', 'a@b, c@d', 'a@b\r\nBcc: c@d']) {
      const refused = await operate('POST', '/mail-test', { to });
      assert.deepEqual([refused.status, refused.body.error_key], [400, 'request.invalid'], to);
    }
  });
});

onEachEngine('the jobs that the operator sees', (platform) => {
  let company: TestCompany;
  before(async () => {
    company = await registerCompany(platform(), 'Acme');
  });

  test('those that fail stand first, with what they said; those that are done are gone', async () => {
    const { context } = platform();
    const operate = async () => await platform().must('GET', '/api/admin/jobs', { token: OPERATOR });
    assert.deepEqual(await operate(), { waiting: 0, oldest_at: null, jobs: [] });
    const failing = new Set(['second']);
    context.jobs.register<string>({
      name: 'watched',
      async step(_writer, { state }) {
        if (failing.has(state)) throw new Error('no such luck');
        return { state, done: 1, finished: state === 'second' };
      },
    });
    for (const state of ['first', 'second']) {
      const { id: serviceId } = await createService(platform(), company);
      await context.database.write((writer) =>
        context.jobs.add(writer, { kind: 'watched', companyId: company.id, serviceId, state, total: 2 }),
      );
    }
    const begun = new Date(platform().clock.now()).toISOString();
    const told = await operate();
    assert.deepEqual([told.waiting, told.oldest_at], [2, begun]);
    const [, second] = told.jobs;
    await context.database.write((writer) =>
      writer.updateTable('jobs').set({ finished_at: 1 }).where('id', '=', told.jobs[0].id).execute(),
    );
    await context.jobWorker.run();
    const [failed, ...others] = (await operate()).jobs;
    assert.deepEqual(others, []);
    assert.deepEqual(failed, {
      ...second,
      kind: 'watched',
      company_user_id: company.id,
      company_name: 'Acme',
      done: 0,
      total: 2,
      failures: 1,
      problem: 'no such luck',
    });
    const { id: serviceId } = await createService(platform(), company);
    await context.database.write(async (writer) => {
      const id = await context.jobs.add(writer, {
        kind: 'watched',
        companyId: company.id,
        serviceId,
        state: 'second',
        total: null,
      });
      // Its turn is before that of the one that fails.
      await writer.updateTable('jobs').set({ turn: 0 }).where('id', '=', id).execute();
    });
    assert.deepEqual(
      (await operate()).jobs.map(({ failures }: { failures: number }) => failures),
      [1, 0],
    );
    failing.clear();
    platform().clock.advance(2000);
    await context.jobWorker.run();
    assert.equal((await operate()).waiting, 0);
  });
});
