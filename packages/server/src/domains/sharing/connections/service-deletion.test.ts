import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  connect,
  createField,
  createService,
  dataToken,
  decisionsFor,
  publish,
  registerCompany,
  registerPerson,
  sealed,
  type TestCompany,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { connectCompany, createCustomer, type TestCustomer } from '@symbolon/testkit/actors/customers';
import { onEachEngine, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { insertConnections, insertPeople } from '@symbolon/testkit/platform/rows';
import type { Kysely } from 'kysely';
import { JobWorker } from '../../operations/jobs/job-worker.ts';

const ROWS = [
  { slug: 'email', label: 'E-mail', type: 'email' },
  { slug: 'city', label: 'City', type: 'text' },
];

/** Counts are of the database, and go when they are added up. */
const KEPT = new Set(['jobs', 'audit_log', 'row_counts', 'row_count_changes']);

/** The rows of all tables in which an id occurs, but for what is to stay: the record of the act, the job, other feeds. */
async function tracesOf(platform: TestPlatform, id: string): Promise<string[]> {
  const { database, tables } = platform.context;
  const found: string[] = [];
  for (const { name, onlyOn = database.engine } of tables) {
    if (KEPT.has(name) || onlyOn !== database.engine) continue;
    const rows = await (database.reader as Kysely<never>)
      .selectFrom(name as never)
      .selectAll()
      .execute();
    for (const row of rows as { feed?: string }[]) {
      if (name === 'changes' && row.feed !== id) continue;
      if (Object.values(row).some((value) => value === id)) found.push(name);
    }
  }
  return found;
}

const remove = ({ company, id }: TestService, platform: TestPlatform) =>
  platform.must('DELETE', `/api/services/${id}?confirm=true`, { token: company.token });

async function jobOf(platform: TestPlatform, service: TestService) {
  const [job] = await platform.context.database.reader
    .selectFrom('jobs')
    .select(['done', 'total', 'finished_at', 'state'])
    .where('service_id', '=', service.id)
    .execute();
  assert.ok(job);
  return job;
}

const accountEvents = async (platform: TestPlatform, customer: TestCustomer) => {
  const rows = await platform.context.database.reader
    .selectFrom('changes')
    .select(['event', 'service_id', 'share_code', 'payload'])
    .where('feed', '=', customer.company.id)
    .orderBy('seq')
    .execute();
  return rows.map(({ payload, ...row }) => ({ ...row, ...JSON.parse(payload) }));
};

onEachEngine('what is left of a deleted service', (platform) => {
  let company: TestCompany;
  before(async () => {
    company = await registerCompany(platform());
  });
  const work = () => platform().context.jobWorker.run();

  test('cannot be found from the moment of the deletion, and a job removes it', async () => {
    const { call, must } = platform();
    const at = (method: string, path: string, token: string, body?: unknown) =>
      call.call(platform(), method, path, { token, body });
    const service = await createService(platform(), company, ROWS);
    const client = await dataToken(platform(), service);
    const { id: webhook } = await must.call(platform(), 'POST', `/api/services/${service.id}/webhooks`, {
      token: company.token,
      body: { url: 'https://hooks.example.com/x', auth_type: 'none' },
    });
    const person = await registerPerson(platform());
    const field = await createField(platform(), person, {
      type: 'email',
      slug: 'mail',
      value: 'a@b.example',
    });
    const connection = await connect(platform(), person, service, { email: { field, value: 'a@b.example' } });
    const customer = await createCustomer(platform());
    const { id: group, linkId } = await connectCompany(platform(), customer, service, {
      city: { typed: 'Rome' },
    });
    await publish(platform(), company, service.id, [...ROWS, { slug: 'more', label: 'More', type: 'text' }]);
    const [consent] = (await must.call(platform(), 'GET', '/api/person/consents', { token: person.token }))
      .consents;
    const before = await accountEvents(platform(), customer);
    await remove(service, platform());

    // What is left is still there.
    assert.ok((await tracesOf(platform(), connection)).includes('connections'));
    assert.ok((await tracesOf(platform(), webhook)).includes('webhook_events'));
    assert.deepEqual(await accountEvents(platform(), customer), before);
    const job = await jobOf(platform(), service);
    assert.deepEqual([job.done, job.total, job.finished_at], [0, 2, null]);

    const codes = { company_code: company.code, service_code: service.code };
    const lookups = [
      ['GET', `/api/person/connections/${connection}`, person.token],
      ['DELETE', `/api/person/connections/${connection}`, person.token],
      ['PUT', `/api/person/connections/${connection}/mappings`, person.token, { decisions: [] }],
      ['POST', `/api/person/consents/${consent.id}/decline`, person.token, {}],
      ['GET', `/api/person/lookup/${company.code}/${service.code}`, person.token],
      ['POST', '/api/person/connections', person.token, { ...codes, decisions: [] }],
      ['GET', `/api/company-connections/${group}`, customer.token],
      ['DELETE', `/api/company-connections/${group}`, customer.token],
      ['DELETE', `/api/company-connections/${group}/services/${linkId}`, customer.token],
      ['POST', '/api/company-connections', customer.token, { ...codes, decisions: [] }],
      ['GET', `/api/services/${service.id}`, company.token],
      ['GET', `/api/services/${service.id}/webhooks`, company.token],
    ] as const;
    for (const [method, path, token, body] of lookups)
      assert.equal((await at(method, path, token, body)).status, 404, `${method} ${path}`);
    for (const [path, list, token] of [
      ['/api/person/connections', 'connections', person.token],
      ['/api/person/consents', 'consents', person.token],
      ['/api/company-connections', 'connections', customer.token],
    ] as const)
      assert.deepEqual((await at('GET', path, token)).body[list], [], path);
    assert.equal((await at('GET', '/api/company-data/changes', client)).status, 401);
    // The code is free for another service.
    const next = await createService(platform(), company, ROWS);
    const path = `/api/services/${next.id}/share-code`;
    await must.call(platform(), 'PUT', path, { token: company.token, body: { share_code: service.code } });
    const again = await connect(
      platform(),
      person,
      { ...next, code: service.code },
      {
        email: { field, value: 'a@b.example' },
      },
    );
    // An edit reaches the new service alone.
    const value = { value: await sealed('c@d.example') };
    const copy = {
      connection_id: again,
      request_field_id: next.rows.email,
      ...value,
    };
    const edit = await at('PUT', `/api/person/fields/${field}`, person.token, { ...value, copies: [copy] });
    assert.equal(edit.status, 200, edit.text);

    await work();
    for (const id of [service.id, connection, linkId, webhook])
      assert.deepEqual(await tracesOf(platform(), id), [], 'no row is left');
    const done = await jobOf(platform(), service);
    assert.deepEqual([done.done, done.total], [2, 2]);
    assert.notEqual(done.finished_at, null);
    assert.deepEqual(
      (await accountEvents(platform(), customer)).filter(({ service_id }) => service_id === service.id),
      [
        {
          event: 'connection_deleted',
          service_id: service.id,
          share_code: customer.company.code,
          company_share_code: company.code,
          service_share_code: service.code,
          connection_id: group,
          service_link_id: linkId,
        },
      ],
    );
    const standing = await at('GET', `/api/person/connections/${again}`, person.token);
    assert.equal(standing.status, 200);
  });

  test('goes in steps: a worker that dies leaves whole ones, and another goes on', async () => {
    const service = await createService(platform(), company, ROWS);
    await insertConnections(platform(), service, await insertPeople(platform(), 60));
    const customers = [];
    for (let count = 0; count < 3; count++) {
      const customer = await createCustomer(platform());
      await connectCompany(platform(), customer, service);
      customers.push(customer);
    }
    await remove(service, platform());
    const { context } = platform();
    const left = async () => {
      const rows = await context.database.reader
        .selectFrom('connections')
        .select('id')
        .where('service_id', '=', service.id)
        .execute();
      return rows.length;
    };
    const seen = new Set<number>();
    // Each worker dies in its second step: what that one wrote is undone.
    for (let round = 0; (await jobOf(platform(), service)).finished_at === null; round++) {
      assert.ok(round < 100, 'the job comes to an end');
      let steps = 0;
      const dying = new JobWorker({
        ...context,
        database: {
          ...context.database,
          reader: context.database.reader,
          write: (task: Parameters<typeof context.database.write>[0]) =>
            context.database.write(async (writer) => {
              const result = await task(writer);
              if (++steps === 2) throw new Error('killed');
              return result;
            }),
        } as typeof context.database,
        log: { ...context.log, error() {}, info() {} } as never,
      });
      await dying.run();
      const { done } = await jobOf(platform(), service);
      assert.equal(done, 63 - (await left()), 'what is counted is what was done');
      seen.add(done);
    }
    assert.ok(seen.size > 2, `${seen.size} states were seen`);
    for (const customer of customers)
      assert.deepEqual(
        (await accountEvents(platform(), customer)).map(({ event }) => event),
        ['connection_deleted'],
      );
    assert.deepEqual(await tracesOf(platform(), service.id), []);
  });

  test('comes in the way of no edit, consent or connect, and they leave nothing behind', async () => {
    const service = await createService(platform(), company, ROWS);
    const other = await createService(platform(), company, ROWS);
    const people = [];
    for (let count = 0; count < 6; count++) {
      const person = await registerPerson(platform());
      const field = await createField(platform(), person, { type: 'text', slug: 'city', value: 'Rome' });
      const email = await createField(platform(), person, {
        type: 'email',
        slug: 'mail',
        value: 'a@b.example',
      });
      const answers = {
        city: { field, value: 'Rome' },
        email: { field: email, value: 'a@b.example' },
      };
      people.push({ person, field, answers, theirs: await connect(platform(), person, service, answers) });
    }
    await insertConnections(platform(), service, await insertPeople(platform(), 300));
    await publish(platform(), company, service.id, [...ROWS, { slug: 'more', label: 'More', type: 'text' }]);
    let over = false;
    const statuses: string[] = [];
    const note = async (act: string, answer: Promise<{ status: number; text: string }>) => {
      const { status, text } = await answer;
      statuses.push(`${act} ${status}`);
      assert.ok(status < 500, `${act}: ${status} ${text}`);
    };
    const value = { value: await sealed('Paris') };
    const busy = people.map(async ({ person, field, answers, theirs }) => {
      const call = (method: string, path: string, body?: unknown) =>
        platform().call(method, path, { token: person.token, body });
      const connecting = await decisionsFor(service.rows, answers);
      for (let round = 0; !over || round < 3; round++) {
        const copy = { connection_id: theirs, request_field_id: service.rows.city, ...value };
        await note('edit', call('PUT', `/api/person/fields/${field}`, { ...value, copies: [copy] }));
        await note('edit', call('PUT', `/api/person/fields/${field}`, { ...value, copies: [] }));
        const [consent] = (await call('GET', '/api/person/consents')).body.consents;
        if (consent !== undefined)
          await note('decline', call('POST', `/api/person/consents/${consent.id}/decline`, {}));
        const codes = { company_code: company.code, service_code: service.code };
        await note('connect', call('POST', '/api/person/connections', { ...codes, decisions: connecting }));
      }
    });
    await remove(service, platform());
    const { context } = platform();
    const second = new JobWorker(context);
    await Promise.all([work(), second.run()]);
    while ((await jobOf(platform(), service)).finished_at === null) {
      platform().clock.advance(1000);
      await work();
    }
    over = true;
    await Promise.all(busy);
    assert.ok(statuses.includes('edit 200'), statuses.slice(0, 20).join());
    assert.ok(statuses.includes('connect 404'));
    assert.deepEqual(await tracesOf(platform(), service.id), []);
    const slots = await context.database.reader.selectFrom('slot_values').select('connection_id').execute();
    const standing = await context.database.reader.selectFrom('connections').select('id').execute();
    const ids = new Set(standing.map(({ id }) => id));
    assert.ok(
      slots.every(({ connection_id }) => ids.has(connection_id)),
      'no answer without a connection',
    );
    assert.equal(
      (await platform().must('GET', `/api/services/${other.id}`, { token: company.token })).id,
      other.id,
    );
  });
});
