import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  connect,
  createService,
  registerCompany,
  registerPerson,
  type TestPerson,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { connectCompany, createCustomer } from '@symbolon/testkit/actors/customers';
import { proves } from '@symbolon/testkit/evidence/evidence';
import type { TestPlatform } from '@symbolon/testkit/platform/platform';
import { withRegions } from '@symbolon/testkit/platform/regions';
import sharp from 'sharp';

const UNKNOWN = '00000000-0000-7000-8000-000000000000';

withRegions('calls that span three regions', ['eu', 'us', 'ap'], (regions) => {
  const eu = () => regions().region('eu');
  const us = () => regions().region('us');
  const ap = () => regions().region('ap');
  let person: TestPerson;
  let service: TestService;
  let connectionId: string;
  const get = (path: string, headers: Record<string, string> = {}) =>
    eu().call('GET', path, { token: person.token, headers });
  const refusal = ({ status, body }: { status: number; body: { error_key: string } }) => [
    status,
    body.error_key,
  ];
  before(async () => {
    service = await createService(us(), await registerCompany(us(), 'There'));
    person = await registerPerson(eu());
    await regions().settle();
    connectionId = await connect(eu(), person, service);
  });

  test('a forwarded call follows a company that has moved, once', async () => {
    const say = (at: TestPlatform, region: string | null) =>
      at.context.database.write((writer) =>
        writer.updateTable('companies').set({ region }).where('id', '=', service.company.id).execute(),
      );
    const path = `/api/person/lookup/${service.company.code}/${service.code}`;
    const direct = await us().call('GET', path, { token: person.token });
    await say(eu(), 'ap');
    assert.equal((await get(path)).text, direct.text);
    // Two regions that each name the other are left alone.
    await say(us(), 'ap');
    assert.deepEqual(refusal(await get(path)), [503, 'region.unavailable']);
    await say(us(), null);
    await say(eu(), 'us');
    assert.equal((await get(path)).status, 200);
  });

  test('a forwarded call is not forwarded again', async () => {
    const path = `/api/person/lookup/${service.company.code}/${service.code}`;
    const { peers } = us().context;
    const ask = (region: string) =>
      peers.call(
        { region },
        { method: 'GET', path, actingFor: { kind: 'person', personId: person.id, epoch: 1 } },
      );
    assert.equal((await ask('ap')).status, 421);
  });

  test('messages to the home of a customer are sent on when the customer has moved', async () => {
    const buyer = await createCustomer(us());
    const shop = await createService(ap(), await registerCompany(ap(), 'Shop'));
    const link = await connectCompany(us(), buyer, shop);
    await regions().settle();
    await us().must('GET', '/api/customer/changes', { token: buyer.token });
    await ap().context.database.write((writer) =>
      writer.updateTable('companies').set({ region: 'eu' }).where('id', '=', buyer.company.id).execute(),
    );
    await us().must('DELETE', `/api/company-connections/${link.id}`, { token: buyer.token });
    await regions().settle();
    const rowsAt = async (at: TestPlatform) => {
      const { reader } = at.context.database;
      const of = buyer.company.id;
      const feed = await reader.selectFrom('changes').select('event').where('feed', '=', of).execute();
      const log = await reader
        .selectFrom('audit_log')
        .select('action')
        .where('company_id', '=', of)
        .execute();
      return [feed.at(-1)?.event, log.some(({ action }) => action.endsWith('services_disconnected'))];
    };
    assert.deepEqual(await rowsAt(us()), ['connection_deleted', true]);
    for (const passed of [eu(), ap()]) assert.deepEqual(await rowsAt(passed), [undefined, false]);
  });

  test('photos of companies of other regions are shown', async () => {
    const create = { width: 2, height: 2, channels: 3, background: 'red' } as const;
    const image = (await sharp({ create }).png().toBuffer()).toString('base64');
    const { token } = service.company;
    const photo = await us().must('POST', '/api/photos', { token, body: { file: image } });
    await us().must('PUT', '/api/photos/profile', { token, body: { photo_id: photo.id } });
    const { company } = (await get(`/api/person/connections/${connectionId}`)).body;
    const direct = await us().call('GET', company.photo.url, { token: person.token });
    const asked = await get(company.photo.url);
    for (const name of ['content-type', 'etag', 'cache-control', 'content-security-policy']) {
      assert.equal(asked.headers.get(name), direct.headers.get(name), name);
    }
    assert.deepEqual([asked.status, asked.text], [200, direct.text]);
    const same = await get(company.photo.url, { 'if-none-match': asked.headers.get('etag') ?? '' });
    assert.deepEqual([same.status, same.text], [304, '']);
    assert.equal(
      (await get(company.photo.url.replace(photo.id, UNKNOWN))).body.error_key,
      'photos.not_found',
    );
  });

  test('a region in maintenance refuses calls for its data, and no list is shown without its part', async () => {
    const { maintenance, database } = us().context;
    const set = async (on: boolean) => {
      await database.write((writer) => maintenance.set(writer, 'out_of_order', on, null));
      await maintenance.apply();
    };
    await set(true);
    try {
      const lookup = await get(`/api/person/lookup/${service.company.code}/${service.code}`);
      assert.deepEqual(refusal(lookup), [503, 'platform.out_of_order']);
      assert.equal(lookup.headers.get('retry-after'), '300');
      assert.deepEqual(refusal(await get(`/api/person/connections/${connectionId}`)), [
        503,
        'platform.out_of_order',
      ]);
      const list = await get('/api/person/connections');
      assert.deepEqual(refusal(list), [503, 'region.unavailable']);
      assert.equal(list.headers.get('retry-after'), '300');
    } finally {
      await set(false);
    }
    assert.equal((await get('/api/person/connections')).body.connections.length, 1);
  });

  test('an act is not forwarded to a region that cannot yet learn what its caller did before', async () => {
    const { maintenance, database } = us().context;
    const set = async (on: boolean) => {
      await database.write((writer) => maintenance.set(writer, 'writes_paused', on, null));
      await maintenance.apply();
    };
    const act = (token: string) =>
      eu().call('POST', '/api/person/connections', {
        token,
        body: { company_code: service.company.code, service_code: service.code, decisions: [] },
      });
    await regions().settle();
    await set(true);
    try {
      const paused = await act(person.token);
      assert.deepEqual(refusal(paused), [503, 'db.writes_paused']);
      assert.equal(paused.headers.get('retry-after'), '30');
      const young = await registerPerson(eu());
      assert.deepEqual(refusal(await act(young.token)), [503, 'region.unavailable']);
      await set(false);
      assert.equal((await act(young.token)).status, 201);
    } finally {
      await set(false);
    }
  });

  test('while one region is unreachable, other regions answer what they know and refuse what only it can know', async () => {
    const buyer = await createCustomer(eu());
    const link = await connectCompany(eu(), buyer, service);
    const distant = await createService(ap(), await registerCompany(ap(), 'Distant'));
    await regions().settle();
    await ap().app.close();
    assert.equal((await get(`/api/person/connections/${connectionId}`)).status, 200);
    for (const path of [
      `/api/person/connections/${UNKNOWN}`,
      `/api/person/lookup/${distant.company.code}/${distant.code}`,
      `/api/keys/${distant.company.code}/${distant.code}`,
      '/api/person/connections',
      '/api/person/consents',
    ]) {
      assert.deepEqual(refusal(await get(path)), [503, 'region.unavailable'], path);
    }
    proves('error:region.unavailable');
    // The company's replica is enough for these.
    assert.equal((await get(`/api/keys/${distant.company.code}`)).status, 200);
    const call = (path: string) =>
      eu().call('GET', `/api/company-connections${path}`, { token: buyer.token });
    assert.equal((await call(`/${link.id}`)).status, 200);
    assert.deepEqual(refusal(await call('')), [503, 'region.unavailable']);
    const connecting = await eu().call('POST', '/api/company-connections', {
      token: buyer.token,
      body: { company_code: distant.company.code, service_code: distant.code, decisions: [] },
    });
    assert.deepEqual(refusal(connecting), [503, 'region.unavailable']);
    // What is at home here needs no other region.
    const near = await createService(us(), service.company);
    assert.equal(
      (
        await us().call('GET', `/api/person/lookup/${near.company.code}/${near.code}`, {
          token: person.token,
        })
      ).status,
      200,
    );
  });
});
