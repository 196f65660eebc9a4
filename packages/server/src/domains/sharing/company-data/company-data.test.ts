import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { DENY_ALL, dataClientWhitelist } from '@symbolon/protocol';
import {
  createService,
  dataToken,
  publish,
  registerCompany,
  sealed,
  type TestCompany,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onEachEngine, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { insertConnections, insertCustomer, insertPeople, putAnswer } from '@symbolon/testkit/platform/rows';
import fc from 'fast-check';

const ROWS = [
  { slug: 'mail', label: 'E-mail', type: 'email' },
  { slug: 'phone', label: 'Phone', type: 'phone', one_time: true, reason: 'To tell you that it is ready' },
  { slug: 'born', label: 'Born', type: 'date_of_birth', verified: true, verified_max_age_days: 90 },
];

const ATTESTED = {
  verified_hash: 'b'.repeat(64),
  verified_salt: 'salt',
  verified_at: '2026-01-01T00:00:00.000Z',
  verified_expires_at: '2027-01-01T00:00:00.000Z',
  verified_method: 'email_code',
  verified_provider: 'platform',
  verification_id: 'v-1',
};

interface Setting {
  company: TestCompany;
  service: TestService;
  token: string;
}

async function setUp(platform: TestPlatform): Promise<Setting> {
  const company = await registerCompany(platform);
  const service = await createService(platform, company, ROWS);
  return { company, service, token: await dataToken(platform, service) };
}

onEachEngine('company data', (platform) => {
  let setting: Setting;
  before(async () => {
    setting = await setUp(platform());
  });
  const get = (path: string, token = setting.token, headers = {}) =>
    platform().call('GET', `/api/company-data${path}`, { token, headers });

  test('whoami names the company and the service of the token', async () => {
    const { body } = await get('/whoami');
    assert.deepEqual(body, { company_user_id: setting.company.id, service_id: setting.service.id });
  });

  test('request-fields has the rows in order, without audience and without why they are asked', async () => {
    const { body } = await get('/request-fields');
    const { rows } = setting.service;
    assert.deepEqual(body, {
      request_fields: [
        {
          id: rows.mail,
          slug: 'mail',
          label: 'E-mail',
          type: 'email',
          one_time: false,
          mandatory_provide: false,
          mandatory_connected: false,
          verified: false,
          verified_max_age_days: null,
        },
        {
          id: rows.phone,
          slug: 'phone',
          label: 'Phone',
          type: 'phone',
          one_time: true,
          mandatory_provide: false,
          mandatory_connected: false,
          verified: false,
          verified_max_age_days: null,
        },
        {
          id: rows.born,
          slug: 'born',
          label: 'Born',
          type: 'date_of_birth',
          one_time: false,
          mandatory_provide: false,
          mandatory_connected: false,
          verified: true,
          verified_max_age_days: 90,
        },
      ],
    });
  });

  describe('one connection', () => {
    test('a connection has all members of the wire in their order', async () => {
      const { service } = setting;
      const { connectionId, person } = await insertCustomer(platform(), service);
      const value = await sealed('ada@example.com');
      await putAnswer(platform(), service, { connectionId, slug: 'mail' }, { value, private: true });
      await putAnswer(
        platform(),
        service,
        { connectionId, slug: 'born' },
        { value, live: false, verification: ATTESTED },
      );
      const at = new Date(platform().clock.now()).toISOString();
      const { body, text } = await get(`/connections/${connectionId}`);
      const expected = {
        connection_id: connectionId,
        user_id: person.id,
        share_code: person.share_code,
        customer_type: 'person',
        display_name: person.display_name,
        connected_at: at,
        values: {
          // compat: clients parse `value` as JSON text and read either spelling of the time.
          mail: { value, live: true, updatedAt: at, updated_at: at },
          born: { value, live: false, updatedAt: at, updated_at: at, ...ATTESTED },
        },
        values_private: { mail: true, born: false },
        pending_consent: [],
      };
      assert.deepEqual(body, expected);
      assert.equal(text, JSON.stringify(expected));

      const { body: list } = await get('/connections?limit=500');
      const row = list.items.find((item: { id: string }) => item.id === connectionId);
      const { share_code, customer_type, display_name, connected_at, user_id, ...maps } = expected;
      const { connection_id, ...rest } = maps;
      const inList = {
        connection_id,
        id: connection_id,
        user_id,
        display_name,
        connected_at,
        customer_type,
        share_code,
        ...rest,
      };
      proves('route:GET /api/company-data/connections');
      assert.equal(JSON.stringify(row), JSON.stringify(inList));
    });

    test('a value shows method, provider and id of its verification together or not at all', async () => {
      const { service } = setting;
      const { connectionId } = await insertCustomer(platform(), service);
      const { verified_provider: _, ...incomplete } = ATTESTED;
      await putAnswer(
        platform(),
        service,
        { connectionId, slug: 'born' },
        { value: await sealed('x'), verification: incomplete },
      );
      const { body } = await get(`/connections/${connectionId}`);
      const members = Object.keys(body.values.born).filter((name) => name.startsWith('verif'));
      assert.deepEqual(members, ['verified_hash', 'verified_salt', 'verified_at', 'verified_expires_at']);
    });

    test('a connection lists its pending rows in the order of the rows', async () => {
      const { service, company } = await setUp(platform());
      const { connectionId } = await insertCustomer(platform(), service);
      const later = ['z', 'a', 'm'].map((slug) => ({ slug, label: slug, type: 'text' }));
      const rows = await publish(platform(), company, service.id, [...ROWS, ...later]);
      await platform().context.database.write((writer) =>
        writer
          .insertInto('consent_rows')
          .values({
            company_id: company.id,
            connection_id: connectionId,
            request_field_id: rows.a ?? '',
            state: 'declined',
            decided_at: 0,
          })
          .execute(),
      );
      const connection = await platform().context.companyData.connection(
        { companyId: company.id, serviceId: service.id },
        connectionId,
      );
      assert.deepEqual(connection.pending_consent, ['z', 'm']);
    });

    test('a connection can be read as XML with maps by slug, empty maps and no absent members', async () => {
      const { service } = setting;
      const { connectionId, person } = await insertCustomer(platform(), service);
      const value = await sealed('x');
      await putAnswer(platform(), service, { connectionId, slug: 'mail' }, { value });
      const accept = { accept: 'application/xml' };
      const { text, headers } = await get(`/connections/${connectionId}`, setting.token, accept);
      assert.equal(headers.get('content-type'), 'application/xml; charset=utf-8');
      const escaped = value.replaceAll('"', '&quot;');
      const at = new Date(platform().clock.now()).toISOString();
      assert.equal(
        text,
        '<?xml version="1.0" encoding="UTF-8"?><response>' +
          `<connection_id>${connectionId}</connection_id><user_id>${person.id}</user_id>` +
          `<share_code>${person.share_code}</share_code><customer_type>person</customer_type>` +
          `<display_name>${person.display_name}</display_name><connected_at>${at}</connected_at>` +
          `<values><mail><value>${escaped}</value><live>true</live><updatedAt>${at}</updatedAt>` +
          `<updated_at>${at}</updated_at></mail></values>` +
          '<values_private><mail>false</mail></values_private></response>',
      );
      const list = await get('/request-fields', setting.token, accept);
      assert.match(list.text, /^<\?xml[^>]+><response><request_fields><item><id>[^<]+<\/id><slug>mail/);
      assert.doesNotMatch(list.text.split('<item>')[1] ?? '', /verified_max_age_days/);
    });

    test('a connection of another service and an unknown connection are not found', async () => {
      const { service } = setting;
      const { connectionId } = await insertCustomer(platform(), service);
      const other = await setUp(platform());
      const sister = await createService(platform(), setting.company, ROWS);
      const tokens = [other.token, await dataToken(platform(), sister)];
      proves('error:company_data.connection_not_found');
      for (const token of tokens) {
        for (const method of ['GET', 'DELETE']) {
          const answer = await platform().call(method, `/api/company-data/connections/${connectionId}`, {
            token,
          });
          assert.equal(answer.status, 404);
          assert.equal(answer.body.error_key, 'company_data.connection_not_found');
        }
        assert.deepEqual((await get('/connections', token)).body, { total: 0, items: [] });
      }
      const unknown = await get('/connections/nothing');
      assert.equal(unknown.status, 404);
      assert.equal(unknown.body.error_key, 'company_data.connection_not_found');
    });

    test('ending a connection deletes it with its answers and raises an event', async () => {
      const { service, token } = await setUp(platform());
      const { connectionId, person } = await insertCustomer(platform(), service);
      await putAnswer(platform(), service, { connectionId, slug: 'mail' }, { value: await sealed('x') });
      const path = `/api/company-data/connections/${connectionId}`;
      const ended = await platform().call('DELETE', path, { token });
      assert.equal(ended.status, 204);
      assert.equal(ended.text, '');
      proves('route:DELETE /api/company-data/connections/{id}');
      assert.equal((await platform().call('GET', path, { token })).status, 404);
      assert.equal((await platform().call('DELETE', path, { token })).status, 404);
      assert.deepEqual((await get('/connections', token)).body, { total: 0, items: [] });
      const { changes } = (await get('/changes', token)).body;
      assert.equal(changes.length, 1);
      assert.equal(changes[0].event, 'connection_deleted');
      proves('state:connection.service-ends');
      assert.equal(changes[0].person_user_id, person.id);
    });
  });

  describe('the list', () => {
    test('the list refuses a limit out of range', async () => {
      for (const query of ['limit=0', 'limit=501', 'limit=x', 'offset=-1']) {
        const { status, body } = await get(`/connections?${query}`);
        assert.equal(status, 400, query);
        assert.equal(body.error_key, 'request.invalid');
      }
    });

    test('the list has 100 connections by default, oldest first', async () => {
      const { service, token } = await setUp(platform());
      const ids = await insertConnections(platform(), service, await insertPeople(platform(), 130));
      const { body } = await get('/connections', token);
      assert.equal(body.total, 130);
      assert.deepEqual(
        body.items.map((item: { id: string }) => item.id),
        ids.slice(0, 100),
      );
      assert.deepEqual((await get('/connections?offset=130', token)).body, { total: 130, items: [] });
      assert.deepEqual((await get('/connections?offset=9007199254740991', token)).body, {
        total: 130,
        items: [],
      });
    });

    // compat: clients end at the first page that is not full.
    test('paging through the list returns each connection once, and all pages but the last are full', async () => {
      const { service, token } = await setUp(platform());
      const ids = await insertConnections(platform(), service, await insertPeople(platform(), 60));
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 61 }),
          fc.integer({ min: 0, max: 59 }),
          async (limit, start) => {
            const listed: string[] = [];
            for (let offset = start; ; offset += limit) {
              const { body } = await get(`/connections?limit=${limit}&offset=${offset}`, token);
              assert.equal(body.total, ids.length);
              listed.push(...body.items.map((item: { id: string }) => item.id));
              if (body.items.length < limit) break;
            }
            assert.deepEqual(listed, ids.slice(start));
          },
        ),
        { numRuns: 25 },
      );
    });

    test('pages after a key return each connection once, whatever ended meanwhile, with the total', async () => {
      const { service, token } = await setUp(platform());
      const ids = await insertConnections(platform(), service, await insertPeople(platform(), 12));
      const page = async (after: string) => {
        const { body } = await get(`/connections?limit=4&after=${after}`, token);
        return [body.total, body.items.map((item: { id: string }) => item.id)];
      };
      assert.deepEqual(await page(''), [12, ids.slice(0, 4)]);
      assert.deepEqual(await page(ids[3] ?? ''), [12, ids.slice(4, 8)]);
      // What the page begins after, what is before it, and what is on it end.
      for (const ended of [7, 1, 8]) {
        await platform().must('DELETE', `/api/company-data/connections/${ids[ended]}`, { token });
      }
      assert.deepEqual(await page(ids[7] ?? ''), [9, ids.slice(9)]);
      assert.deepEqual(await page(ids[11] ?? ''), [9, []]);
    });

    test('a key of another service is a place in the order and nothing else', async () => {
      const { service, token } = await setUp(platform());
      const other = await setUp(platform());
      const [first, , foreign, , last] = await (async () => {
        const made: string[] = [];
        for (const to of [service, service, other.service, service, service]) {
          made.push(...(await insertConnections(platform(), to, await insertPeople(platform(), 1))));
        }
        return made;
      })();
      const { body } = await get(`/connections?after=${foreign}`, token);
      assert.deepEqual([body.total, body.items.length, body.items.at(-1).id], [4, 2, last]);
      assert.equal((await get(`/connections?after=${first}`, token)).body.items.length, 3);
      assert.deepEqual((await get(`/connections?after=${foreign}`, other.token)).body, {
        total: 1,
        items: [],
      });
    });

    test('a key that is no id, and a key beside an offset, are refused', async () => {
      const id = '01890000-0000-7000-8000-000000000000';
      for (const query of ['after=1', `after=${id}x`, `after=${id}&offset=0`, 'after=&offset=4']) {
        const { status, body } = await get(`/connections?${query}`);
        assert.deepEqual([status, body.error_key], [400, 'request.invalid'], query);
      }
      assert.equal((await get(`/connections?after=${id}`)).status, 200);
    });

    test('a page with many unanswered rows is read in parts, and is full', async () => {
      const { service, company, token } = await setUp(platform());
      await insertConnections(platform(), service, await insertPeople(platform(), 100));
      const later = Array.from({ length: 97 }, (_, index) => ({
        slug: `row${index}`,
        label: 'Row',
        type: 'text',
      }));
      await publish(platform(), company, service.id, [...ROWS, ...later]);
      const ref = { companyId: company.id, serviceId: service.id };
      const page = await platform().context.companyData.connections(ref, {
        limit: 100,
        offset: 0,
        after: undefined,
      });
      const counts: number[] = [];
      for (const part of page.parts) counts.push((await part()).length);
      // 100 pending slugs of each of 100 connections, and no answer.
      assert.ok(counts.length >= 5, `${counts.length} parts`);
      assert.ok(Math.max(...counts) <= 20, `${Math.max(...counts)} in a part`);
      const { body } = await get('/connections?limit=100', token);
      assert.equal(body.items.length, 100);
      assert.equal(body.items[99].pending_consent.length, 97);
    });

    test('the list finds its pages again after a connection ended, and includes new connections', async () => {
      const { service, token } = await setUp(platform());
      const ids = await insertConnections(platform(), service, await insertPeople(platform(), 12));
      const page = async (offset: number) =>
        (await get(`/connections?limit=4&offset=${offset}`, token)).body.items.map(
          (item: { id: string }) => item.id,
        );
      assert.deepEqual(await page(0), ids.slice(0, 4));
      assert.deepEqual(await page(4), ids.slice(4, 8));
      await platform().must('DELETE', `/api/company-data/connections/${ids[1]}`, { token });
      ids.splice(1, 1);
      assert.deepEqual(await page(4), ids.slice(4, 8));
      ids.push(...(await insertConnections(platform(), service, await insertPeople(platform(), 3))));
      assert.deepEqual(await page(8), ids.slice(8, 12));
      assert.deepEqual(await page(12), ids.slice(12));
    });
  });

  test('logs are newest first, with their total', async () => {
    const { service, company, token } = await setUp(platform());
    const { context } = platform();
    await context.database.write(async (writer) => {
      for (const n of [1, 2, 3]) {
        await context.logs.write(writer, {
          companyId: company.id,
          serviceId: service.id,
          type: 'email',
          message: `mail ${n}`,
          metadata: { n },
        });
      }
    });
    const all = (await get('/logs', token)).body;
    assert.equal(all.total, all.items.length);
    assert.deepEqual(
      all.items.slice(0, 3).map((item: { message: string }) => item.message),
      ['mail 3', 'mail 2', 'mail 1'],
    );
    assert.deepEqual(all.items[0].metadata, { n: 3 });
    const second = (await get('/logs?limit=1&offset=1', token)).body;
    assert.deepEqual(second, { total: all.total, items: [all.items[1]] });
  });

  describe('the whitelist', () => {
    const setEndpoints = (service: TestService, endpoints: readonly string[]) =>
      platform().context.database.write((writer) =>
        writer
          .updateTable('clients')
          .set({ endpoints: JSON.stringify(endpoints) })
          .where('service_id', '=', service.id)
          .execute(),
      );

    test('the whitelist allows each of its patterns', async () => {
      for (const pattern of dataClientWhitelist) {
        const path = pattern.replace('*', 'x');
        const answer = await platform().call('GET', path, { token: setting.token });
        assert.ok(answer.status !== 403, `${path}: ${answer.text}`);
        proves(`whitelist:data ${pattern}`);
      }
    });

    test('the whitelist allows no other route', async () => {
      for (const [method, path] of [
        ['GET', '/api/account'],
        ['GET', '/api/services'],
        ['GET', `/api/services/${setting.service.id}/request-fields`],
        ['GET', '/api/person/connections'],
        ['GET', '/api/nothing-here'],
        ['PUT', '/api/company-data-else'],
      ] as const) {
        const answer = await platform().call(method, path, { token: setting.token });
        assert.equal(answer.status, 403, path);
        assert.equal(answer.body.error_key, 'auth.client_endpoint_forbidden');
        assert.equal(answer.body.error, 'client not authorized for this endpoint');
      }
    });

    test('an empty whitelist, or one with only the sentinel, allows no route', async () => {
      const { service, token } = await setUp(platform());
      for (const endpoints of [[], [DENY_ALL]]) {
        await setEndpoints(service, endpoints);
        for (const path of [
          '/api/company-data/whoami',
          '/api/company-data/connections',
          '/api/company-data/changes',
          '/api/contact-fields',
          '/api/contact-field-types',
          '/api/keys/ABC',
        ]) {
          const answer = await platform().call('GET', path, { token });
          assert.equal(answer.status, 403, path);
          assert.equal(answer.body.error_key, 'auth.client_endpoint_forbidden');
        }
      }
    });

    test('the whitelist separates the catalogue from the registry', async () => {
      const { service, token } = await setUp(platform());
      const status = async (path: string) => (await platform().call('GET', path, { token })).status;
      await setEndpoints(service, ['/api/contact-fields*']);
      assert.deepEqual(
        [await status('/api/contact-fields'), await status('/api/contact-field-types')],
        [200, 403],
      );
      await setEndpoints(service, ['/api/contact-field-types*']);
      assert.deepEqual(
        [await status('/api/contact-fields'), await status('/api/contact-field-types')],
        [403, 200],
      );
    });
  });

  test('company data refuses all callers but data clients', async () => {
    for (const path of [
      '/whoami',
      '/request-fields',
      '/connections',
      '/connections/x',
      '/logs',
      '/changes',
    ]) {
      const portal = await get(path, setting.company.token);
      assert.equal(portal.status, 403);
      assert.equal(portal.body.error_key, 'auth.forbidden');
      const anonymous = await platform().call('GET', `/api/company-data${path}`);
      assert.equal(anonymous.status, 401);
    }
  });
});

onEachEngine(
  'rate limits of company data',
  (platform) => {
    test('the limits count each class separately and say when to retry', async () => {
      const { token } = await setUp(platform());
      const other = await setUp(platform());
      const classes = [
        ['/changes', 4],
        ['/request-fields', 6],
        ['/logs', 3],
        ['/connections', 2],
        ['/whoami', 5],
      ] as const;
      for (const [path, most] of classes) {
        for (let call = 0; call < most; call++) {
          assert.equal((await platform().call('GET', `/api/company-data${path}`, { token })).status, 200);
        }
        const refused = await platform().call('GET', `/api/company-data${path}`, { token });
        assert.equal(refused.status, 429, path);
        assert.equal(refused.body.error_key, 'rate_limit.exceeded');
        assert.match(refused.headers.get('retry-after') ?? '', /^[1-9][0-9]?$/);
      }
      // Of the same classes:
      for (const path of ['/api/company-data/connections/x', '/api/contact-field-types', '/api/keys/ABC']) {
        assert.equal((await platform().call('GET', path, { token })).status, 429, path);
      }
      assert.equal(
        (await platform().call('GET', '/api/company-data/changes', { token: other.token })).status,
        200,
        'another client has its own budget',
      );
    });
  },
  {
    SYMBOLON_RATE_CHANGES: '4',
    SYMBOLON_RATE_FIELDS: '6',
    SYMBOLON_RATE_REFERENCE: '3',
    SYMBOLON_RATE_CONNECTIONS: '2',
    SYMBOLON_RATE_DEFAULT: '5',
  },
);
