import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createService, dataToken, registerCompany } from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { engines } from '@symbolon/testkit/platform/engines';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { FakeTimers } from '@symbolon/testkit/platform/fake-timers';
import { keptLog } from '@symbolon/testkit/platform/kept-log';
import { fillDisk, makeReadOnly } from '@symbolon/testkit/platform/outages';
import { FakeClock, startPlatform } from '@symbolon/testkit/platform/platform';
import { answeredInTime } from './index.ts';

test('a database that answers late is unavailable to health after two seconds', async () => {
  const timers = new FakeTimers();
  const never = answeredInTime(timers, new Promise(() => {}));
  timers.advance(2_000);
  // A timer that fired late waits a moment more for what came meanwhile.
  timers.advance(1_000);
  await assert.rejects(never, { key: 'db.unavailable' });
  await answeredInTime(timers, Promise.resolve());
  assert.equal(timers.size, 0);
});

for (const engine of engines) {
  test(`a database that takes no writes: 503, health says so, and all is well again by itself (${engine})`, async () => {
    const { log, matching } = keptLog();
    await using platform = await startPlatform(engine, {}, new FakeClock(), { log });
    const company = await registerCompany(platform);
    const service = await createService(platform, company);
    const client = await platform.must('POST', `/api/services/${service.id}/client`, {
      token: company.token,
    });
    const token = await dataToken(platform, await createService(platform, company));
    const health = () => platform.call('GET', '/api/health');
    assert.deepEqual((await health()).body, { status: 'ok' });

    const end = await makeReadOnly(platform);
    const rename = () =>
      platform.call('PUT', `/api/services/${service.id}`, { token: company.token, body: { name: 'Shop' } });
    // The first query on a connection that was cut may find that alone.
    const refused = await eventually('the write is refused', async () => {
      const answer = await rename();
      return answer.body.error_key === 'db.writes_paused' ? answer : undefined;
    });
    proves('error:db.writes_paused');
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '30']);
    const said = await health();
    assert.deepEqual([said.status, said.body], [200, { status: 'writes_paused', away: ['saving'] }]);
    // Reading works, and so do tokens.
    const read = await eventually('a read is answered', async () => {
      const answer = await platform.call('GET', `/api/services/${service.id}`, { token: company.token });
      return answer.body.error_key === 'db.unavailable' ? undefined : answer;
    });
    assert.equal(read.status, 200);
    const form = { grant_type: 'client_credentials', ...client };
    const grant = await platform.call('POST', '/oauth2/token', {
      body: new URLSearchParams({ ...form, client_secret: client.client_secret }),
    });
    assert.equal(grant.status, 200);
    const drain = await platform.call('GET', '/api/company-data/changes', { token });
    assert.deepEqual([drain.status, drain.body.error_key], [503, 'db.writes_paused']);
    assert.equal(drain.headers.get('retry-after'), '30');

    await end();
    await eventually('health is ok', async () => ((await health()).body.status === 'ok' ? true : undefined));
    assert.equal((await rename()).status, 200);
    assert.equal(matching(/^database unavailable: it takes no writes/).length, 1);
    assert.equal(matching(/^database available again after \d+ s$/).length, 1);
    assert.deepEqual(matching(/request failed/), []);
  });
}

test('health finds out by itself that nothing can be saved', async () => {
  await using platform = await startPlatform('sqlite', { SYMBOLON_LOG_LEVEL: 'silent' });
  const end = await makeReadOnly(platform);
  assert.deepEqual((await platform.call('GET', '/api/health')).body, {
    status: 'writes_paused',
    away: ['saving'],
  });
  await end();
});

test('a write that finds the disk full is refused, with all others of its transaction', async () => {
  await using platform = await startPlatform('sqlite', { SYMBOLON_LOG_LEVEL: 'silent' });
  const company = await registerCompany(platform);
  const create = () =>
    platform.context.database.write(async (writer) => {
      await writer
        .insertInto('region_settings')
        .values({ name: `large ${Math.random()}`, value: 'x'.repeat(1_000_000), updated_at: 0 })
        .execute();
    });
  const end = await fillDisk(platform);
  await assert.rejects(create(), { key: 'db.writes_paused', status: 503 });
  await end();
  await create();
  assert.equal((await platform.call('GET', '/api/account', { token: company.token })).status, 200);
});

test('a read that the database does not answer is refused as such', async () => {
  await using platform = await startPlatform('sqlite', { SYMBOLON_LOG_LEVEL: 'silent' });
  const company = await registerCompany(platform);
  const { sessions } = platform.context;
  const find = sessions.find.bind(sessions);
  sessions.find = () => Promise.reject(Object.assign(new Error('terminating'), { code: '57P01' }));
  const refused = await platform.call('GET', '/api/account', { token: company.token });
  sessions.find = find;
  proves('error:db.unavailable');
  assert.deepEqual([refused.status, refused.body.error_key], [503, 'db.unavailable']);
  assert.equal(refused.headers.get('retry-after'), '5');
  assert.equal((await platform.call('GET', '/api/account', { token: company.token })).status, 200);
});
