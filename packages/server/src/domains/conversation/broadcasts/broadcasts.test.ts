import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type CompanyLevel, limits } from '@symbolon/protocol';
import {
  connect,
  createService,
  dataToken,
  registerCompany,
  registerPerson,
  sealed,
  type TestCompany,
  type TestPerson,
} from '@symbolon/testkit/actors/actors';
import { connectCompany, createCustomer } from '@symbolon/testkit/actors/customers';
import { addDelegate } from '@symbolon/testkit/actors/portal-logins';
import { connectedPerson } from '@symbolon/testkit/actors/scenes';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refused } from '@symbolon/testkit/evidence/refusals';
import { Listener } from '@symbolon/testkit/platform/event-stream';
import { onEachEngine, onPlatform } from '@symbolon/testkit/platform/platform';
import { eventNames, forgetEvents } from '@symbolon/testkit/platform/raised-events';
import { insertCompanyCustomers } from '@symbolon/testkit/platform/rows';

onEachEngine('broadcasts', (platform) => {
  let company: TestCompany;
  before(async () => {
    company = await registerCompany(platform());
  });
  const newService = async () => {
    const service = await createService(platform(), company);
    return { service, token: await dataToken(platform(), service) };
  };
  const broadcast = (token: string, body: string) =>
    platform().call('POST', '/api/company-data/broadcast', { token, body: { body } });
  const path = (id: string) => `/api/person/connections/${id}/messages`;
  const items = async (person: TestPerson, id: string, query = '') =>
    (await platform().must('GET', `${path(id)}${query}`, { token: person.token })).items;

  test('are sent by an admin of the company too, who sees before to how many, and what was sent', async () => {
    const { service, token } = await newService();
    const person = await registerPerson(platform());
    const id = await connect(platform(), person, service);
    const at = `/api/services/${service.id}/broadcasts`;
    const list = (query = '', by = company.token) => platform().must('GET', `${at}${query}`, { token: by });
    assert.deepEqual(await list(), {
      ...{ recipients: 1, most: limits.broadcastAudienceMost, broadcasts: [], next: null },
    });
    await broadcast(token, 'by the backend');
    const body = { body: 'by staff' };
    const sent = await platform().must('POST', at, { token: company.token, body });
    assert.equal(sent.recipients, 1);
    assert.deepEqual(
      (await items(person, id)).map(({ body: text }: { body: string }) => text),
      ['by staff', 'by the backend'],
    );
    const first = await list('?limit=1');
    assert.deepEqual(
      first.broadcasts.map((each: { broadcast_id: string; body: string }) => [each.broadcast_id, each.body]),
      [[sent.broadcast_id, 'by staff']],
    );
    const rest = await list(`?limit=1&before=${first.next}`);
    assert.deepEqual([rest.broadcasts[0].body, rest.next], ['by the backend', null]);
    const { items: log } = await platform().must('GET', '/api/account/audit-log', { token: company.token });
    const entry = log.find(({ action }: { action: string }) => action === 'service.broadcast_sent');
    assert.deepEqual([entry.target, entry.details.recipients], [service.id, 1]);
    // Who answers customers does not write to all, and nobody of another company sees or sends anything.
    const support = await addDelegate(platform(), company, 'support');
    assert.equal((await list('', support.token)).recipients, 1);
    await refused(platform(), [403, 'auth.role_forbidden'], 'POST', at, { token: support.token, body });
    const stranger = await registerCompany(platform());
    await refused(platform(), [404, 'services.not_found'], 'GET', at, { token: stranger.token });
    await refused(platform(), [404, 'services.not_found'], 'POST', at, { token: stranger.token, body });
    assert.equal((await items(person, id)).length, 2);
    proves('route:GET /api/services/{id}/broadcasts', 'route:POST /api/services/{id}/broadcasts');
  });

  test('stand once in the thread of everybody who is connected, in the order of time', async () => {
    const { service, token } = await newService();
    const [ada, ben, late] = [
      await registerPerson(platform()),
      await registerPerson(platform()),
      await registerPerson(platform()),
    ];
    const [ofAda, ofBen] = [await connect(platform(), ada, service), await connect(platform(), ben, service)];
    const customer = await createCustomer(platform());
    await connectCompany(platform(), customer, service);
    await forgetEvents(platform());
    const message = { body: await sealed('x'), sender_body: await sealed('x') };
    await platform().must('POST', path(ofAda), { token: ada.token, body: message });
    const sent = await broadcast(token, 'we are closed on Monday');
    assert.deepEqual([sent.status, sent.body.recipients], [201, 2], sent.text);
    platform().clock.advance(1);
    const ofLate = await connect(platform(), late, service);
    await platform().must('POST', path(ofAda), { token: ada.token, body: message });
    const seen = await items(ada, ofAda);
    assert.deepEqual(
      seen.map((item: { broadcast: boolean }) => item.broadcast),
      [false, true, false],
    );
    assert.deepEqual(
      [seen[1].message_id, seen[1].body, seen[1].direction, seen[1].read_at],
      [sent.body.broadcast_id, 'we are closed on Monday', 'inbound', null],
    );
    assert.equal((await items(ben, ofBen)).length, 1);
    assert.deepEqual(await items(late, ofLate), []);
    assert.equal((await items(ada, ofAda, `?limit=1&before=${seen[0].message_id}`))[0].broadcast, true);
    // The service's own sends raise no event.
    const raised = await eventNames(platform(), service.id);
    assert.deepEqual(raised, ['message_received', 'connection_created', 'message_received']);
    assert.deepEqual(
      (await platform().must('GET', '/api/customer/changes', { token: customer.token })).changes.filter(
        ({ event }: { event: string }) => event === 'message_received',
      ),
      [],
    );
  });

  test('are read by each person alone, and counted as unread until then', async () => {
    const { service, token } = await newService();
    const [ada, ben] = [await registerPerson(platform()), await registerPerson(platform())];
    const [ofAda, ofBen] = [await connect(platform(), ada, service), await connect(platform(), ben, service)];
    const first = (await broadcast(token, 'one')).body.broadcast_id;
    await broadcast(token, 'two');
    const unread = async (person: TestPerson) =>
      (await platform().must('GET', '/api/person/messages', { token: person.token })).threads[0].unread;
    proves('route:POST /api/company-data/broadcast');
    assert.equal(await unread(ada), 2);
    const read = () =>
      platform().call('POST', `${path(ofAda)}/read`, {
        token: ada.token,
        body: { up_to_message_id: first },
      });
    proves('route:POST /api/person/connections/{id}/messages/read');
    assert.deepEqual((await read()).body, { read: 1 });
    assert.deepEqual((await read()).body, { read: 0 });
    assert.deepEqual([await unread(ada), await unread(ben)], [1, 2]);
    const states = (await items(ada, ofAda)).map((item: { read_at: string | null }) => item.read_at !== null);
    assert.deepEqual(states, [false, true]);
    assert.ok((await items(ben, ofBen)).every((item: { read_at: string | null }) => item.read_at === null));
    await platform().must('DELETE', `/api/person/connections/${ofAda}`, { token: ada.token });
    const { reader } = platform().context.database;
    assert.deepEqual(
      await reader.selectFrom('broadcast_reads').selectAll().where('connection_id', '=', ofAda).execute(),
      [],
    );
  });

  test('tell the devices of each person once, in steps that a stop does not repeat', async () => {
    const { service, token } = await newService();
    const people = await Promise.all(Array.from({ length: 3 }, () => registerPerson(platform())));
    const ids: string[] = [];
    for (const person of people) ids.push(await connect(platform(), person, service));
    const devices = await Promise.all(people.map((person) => Listener.open(platform(), person)));
    await broadcast(token, 'news');
    await platform().context.jobWorker.run();
    await Promise.all(devices.map((device) => device.heard(1)));
    await platform().context.jobWorker.run();
    assert.deepEqual(
      devices.map(({ events }) => events),
      ids.map((id) => [{ name: 'message', data: { id } }]),
    );
    for (const device of devices) device.close();
    const [job] = await platform()
      .context.database.reader.selectFrom('jobs')
      .select(['kind', 'done', 'total', 'finished_at'])
      .where('service_id', '=', service.id)
      .execute();
    assert.ok(job);
    assert.deepEqual([job.kind, Number(job.done), Number(job.total)], ['broadcast', 3, 3]);
    assert.notEqual(job.finished_at, null);
  });

  test('go to a bounded number of people, and a service sends some in an hour', async () => {
    const { service, token } = await newService();
    const count = (connection_count: number) =>
      platform().context.database.write((writer) =>
        writer.updateTable('services').set({ connection_count }).where('id', '=', service.id).execute(),
      );
    await count(limits.broadcastAudienceMost + 1);
    const large = await broadcast(token, 'x');
    assert.deepEqual([large.status, large.body.error_key], [422, 'messages.broadcast_audience_too_large']);
    assert.equal(large.body.most, limits.broadcastAudienceMost);
    await count(limits.broadcastAudienceMost);
    await insertCompanyCustomers(platform(), service, 1);
    const full = await broadcast(token, 'x');
    assert.deepEqual([full.status, full.body.recipients], [201, limits.broadcastAudienceMost], full.text);
    await count(1);
    for (let n = 2; n < limits.broadcastsPerHour; n++)
      assert.equal((await broadcast(token, 'x')).status, 201);
    const refused = await broadcast(token, 'x');
    assert.deepEqual([refused.status, refused.body.error_key], [429, 'messages.rate_limited']);
    proves(
      'error:messages.broadcast_audience_too_large',
      'limit:broadcastAudienceMost',
      'limit:broadcastsPerHour',
    );
  });

  test('are text of a bounded length', async () => {
    const { token } = await newService();
    for (const body of ['', '  ', 'x'.repeat(limits.broadcastTextMost + 1)]) {
      const refused = await broadcast(token, body);
      assert.deepEqual([refused.status, refused.body.error_key], [400, 'request.invalid']);
    }
    assert.equal((await broadcast(token, 'x'.repeat(limits.broadcastTextMost))).status, 201);
    proves('limit:broadcastTextMost');
  });

  test('stand for 400 days', async () => {
    const { service, token } = await newService();
    const { person: ada, connectionId: id } = await connectedPerson(platform(), service);
    const { broadcast_id } = (await broadcast(token, 'one')).body;
    await platform().must('POST', `${path(id)}/read`, {
      token: ada.token,
      body: { up_to_message_id: broadcast_id },
    });
    platform().clock.advance(limits.broadcastRetentionMs);
    for (const sweep of platform().context.domain.sweeps)
      if (sweep.name.includes('broadcasts')) await sweep.run(new AbortController().signal);
    const { reader } = platform().context.database;
    const rows = [
      ...(await reader.selectFrom('broadcasts').select('id').where('service_id', '=', service.id).execute()),
      ...(await reader
        .selectFrom('broadcast_reads')
        .select('broadcast_id')
        .where('connection_id', '=', id)
        .execute()),
    ];
    assert.deepEqual(rows, []);
    proves('limit:broadcastRetentionMs');
  });
});

onPlatform(
  'broadcasts whose people the operator limits',
  (platform) => {
    test('go to as many as the level of the company may reach', async () => {
      const company = await registerCompany(platform());
      const service = await createService(platform(), company);
      const token = await dataToken(platform(), service);
      for (const _ of [1, 2]) await connectedPerson(platform(), service);
      const send = () =>
        platform().call('POST', '/api/company-data/broadcast', { token, body: { body: 'x' } });
      const setLevel = (level: CompanyLevel) =>
        platform().context.database.write((writer) =>
          writer.updateTable('companies').set({ level }).where('id', '=', company.id).execute(),
        );
      await setLevel('pro');
      const refused = await send();
      assert.deepEqual(
        [refused.status, refused.body.error_key, refused.body.most],
        [422, 'messages.broadcast_audience_too_large', 1],
      );
      await setLevel('enterprise');
      assert.equal((await send()).status, 201);
    });
  },
  { SYMBOLON_BROADCAST_PEOPLE: 'pro=1,enterprise=0' },
);
