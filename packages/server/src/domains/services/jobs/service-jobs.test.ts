import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  createService,
  registerCompany,
  type TestCompany,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { publishShare } from '@symbolon/testkit/actors/customers';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onEachEngine } from '@symbolon/testkit/platform/platform';
import { insertCompanyCustomers } from '@symbolon/testkit/platform/rows';

onEachEngine('the jobs of a service', (platform) => {
  let company: TestCompany;
  before(async () => {
    company = await registerCompany(platform());
  });
  const jobsOf = (service: TestService, token = company.token) =>
    platform().call('GET', `/api/services/${service.id}/jobs`, { token });
  const now = () => new Date(platform().clock.now()).toISOString();

  test('a service without customers leaves nothing to the platform', async () => {
    const service = await createService(platform(), company);
    await publishShare(platform(), service, 'nine to five', 'later');
    proves('route:GET /api/services/{id}/jobs');
    assert.deepEqual((await jobsOf(service)).body, { jobs: [] });
  });

  test('the work that an act left can be watched until it is done', async () => {
    const service = await createService(platform(), company);
    await insertCompanyCustomers(platform(), service, 20);
    const created_at = now();
    await publishShare(platform(), service, 'one', 'later');
    await publishShare(platform(), service, 'two', 'later');
    const waiting = (await jobsOf(service)).body.jobs;
    const common = { kind: 'tell_companies', total: 20, created_at };
    for (const { id, ...job } of waiting) {
      assert.match(id, /^[0-9a-f-]{36}$/);
      assert.deepEqual(job, {
        ...common,
        state: 'waiting',
        done: 0,
        updated_at: created_at,
        finished_at: null,
      });
    }
    assert.ok(waiting[0].id > waiting[1].id, 'the latest first');
    platform().clock.advance(5000);
    await platform().context.jobWorker.run();
    const done = (await jobsOf(service)).body.jobs;
    assert.deepEqual(
      done.map(({ id: _, ...job }: { id: string }) => job),
      [1, 2].map(() => ({ ...common, state: 'done', done: 20, updated_at: now(), finished_at: now() })),
    );
  });

  test('a service that was deleted still shows its jobs to its company, and to no other caller', async () => {
    const service = await createService(platform(), company);
    await insertCompanyCustomers(platform(), service, 3);
    await platform().must('DELETE', `/api/services/${service.id}?confirm=true`, { token: company.token });
    const [job] = (await jobsOf(service)).body.jobs;
    assert.deepEqual([job.kind, job.done, job.total], ['service_deletion', 0, 3]);
    const other = await registerCompany(platform());
    const refused = await jobsOf(service, other.token);
    assert.deepEqual([refused.status, refused.body.error_key], [404, 'services.not_found']);
  });

  test('a service that never existed is not found', async () => {
    const none = await platform().call('GET', `/api/services/${company.id}/jobs`, { token: company.token });
    assert.deepEqual([none.status, none.body.error_key], [404, 'services.not_found']);
  });

  test('an act is refused while a hundred others wait to be carried out, and changes nothing', async () => {
    const service = await createService(platform(), company);
    await insertCompanyCustomers(platform(), service, 1);
    for (let n = 0; n < 100; n++) await publishShare(platform(), service, `${n}`, 'later');
    const path = `/api/services/${service.id}/share-fields`;
    const { token } = company;
    const { config_token } = await platform().must('GET', path, { token });
    const refused = await platform().call('PUT', path, { token, body: { config_token, share_fields: [] } });
    assert.deepEqual([refused.status, refused.body.error_key], [503, 'service.busy']);
    proves('error:service.busy');
    assert.equal((await platform().must('GET', path, { token })).config_token, config_token);
    await platform().context.jobWorker.run();
    await platform().must('PUT', path, { token, body: { config_token, share_fields: [] } });
    assert.equal((await jobsOf(service)).body.jobs.length, 100, 'the oldest are forgotten');
  });
});
