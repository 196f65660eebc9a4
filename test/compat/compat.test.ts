import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { createServiceKey } from '@symbolon/crypto';
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
  type TestPerson,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { connectCompany, createCustomer, type TestCustomer } from '@symbolon/testkit/actors/customers';
import { openShop } from '@symbolon/testkit/actors/scenes';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { call, entries, JSON_ACCEPTS, type RawAnswer, read, XML_ACCEPTS } from './unchanged-client.ts';

/*
 * What client libraries in the field rely on. They are older and newer, of six languages, and are not changed: each rule here
 * is kept for one of them, and its test says why. Features that do not exist yet have their rules when they come.
 *
 * | rule | proved by |
 * |---|---|
 * | an empty list stands for an empty map, and for a body without members | `an empty list is an empty map` |
 * | JSON and XML by `Accept`, in every spelling | `the format follows Accept` |
 * | null and an empty list are absent in XML | `an empty list is no element in XML` |
 * | the connection list is oldest first and stable, every page but the last full | `every page but the last is full` |
 * | a value is the wrapper as JSON text | `a value is text` |
 * | a time has both of its names | `updatedAt and updated_at` |
 * | a mapping names what changes | `a mapping leaves alone what it does not name` |
 * | `typed` on a one-time row is a one-time answer | `clients of companies type every answer` |
 * | no slug is `item` | `an answer called item would read as a list` |
 * | decisions hold wrappers as objects | `a decision may hold the wrapper as an object` |
 * | `decline` has no body | `declining needs no body` |
 * | `pending_consent` of a link has its id and rows | `a link says what is pending` |
 * | errors are JSON, whatever was asked for | `errors are JSON for XML clients too` |
 * | no 429 asks for more than a minute | `a client that is limited waits a minute at most` |
 * | tokens and discovery at one base URL | `a client that knows one base URL` |
 * | no member `action` says that a key was rotated | `no event has a rotation as its action` |
 */

const PEOPLE = 7;
const JSON_FORM = { name: 'JSON', accept: 'application/json' } as const;
const XML_FORM = { name: 'XML', accept: 'application/xml' } as const;
const BOTH = [JSON_FORM, XML_FORM] as const;

onPlatform('clients in the field', (platform) => {
  let company: TestCompany;
  let service: TestService;
  let data: string;
  let first: TestPerson;
  const connections: string[] = [];

  const ask = (method: string, path: string, given: Parameters<typeof call>[2] = {}): Promise<RawAnswer> =>
    call(`${platform().url}${path}`, method, given);
  const get = (path: string, accept: string | undefined, token = data) =>
    ask('GET', path, { token, headers: accept === undefined ? {} : { accept } });
  const asJson = (body: unknown) => ({
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });

  before(async () => {
    company = await registerCompany(platform());
    service = await createService(platform(), company, [
      { slug: 'email', label: 'E-mail', type: 'email' },
      { slug: 'nick', label: 'Nick', type: 'text' },
    ]);
    data = await dataToken(platform(), service);
    for (let index = 0; index < PEOPLE; index++) {
      const person = await registerPerson(platform(), `Person ${index}`);
      if (index === 0) first = person;
      const field = await createField(platform(), person, {
        type: 'email',
        slug: 'mail',
        value: 'a@b.example',
      });
      connections.push(
        await connect(platform(), person, service, { email: { field, value: 'a@b.example' } }),
      );
    }
  });

  describe('bodies', () => {
    test('an empty list is an empty map: PHP writes one so, and some clients send no body at all', async () => {
      for (const given of [
        {},
        { body: '' },
        asJson([]),
        asJson({}),
        asJson(null),
        { headers: { 'content-type': 'application/json', 'content-length': '0' } },
      ]) {
        const client = await createClient();
        const answer = await ask('POST', `/api/account/clients/${client}/regenerate-secret`, {
          token: company.token,
          ...given,
        });
        assert.equal(answer.status, 200, `${JSON.stringify(given)} ${answer.text}`);
      }
    });

    test('a decision may hold the wrapper as an object, for clients build it as one', async () => {
      const person = await registerPerson(platform());
      const body = {
        company_code: company.code,
        service_code: service.code,
        decisions: [
          {
            request_field_id: service.rows.nick,
            kind: 'one_time',
            value: JSON.parse(await sealed('ada')),
          },
        ],
      };
      const answer = await ask('POST', '/api/person/connections', { token: person.token, ...asJson(body) });
      assert.equal(answer.status, 201, answer.text);
      await ask('DELETE', `/api/person/connections/${read(answer).connection_id}`, { token: person.token });
    });
  });

  describe('formats', () => {
    test('the format follows Accept, in every spelling of every client', async () => {
      for (const accept of JSON_ACCEPTS) {
        const answer = await get('/api/company-data/whoami', accept);
        assert.match(String(answer.headers['content-type']), /^application\/json/, String(accept));
        assert.equal(read(answer).service_id, service.id);
      }
      for (const accept of XML_ACCEPTS) {
        const answer = await get('/api/company-data/whoami', accept);
        assert.match(String(answer.headers['content-type']), /^application\/xml/, accept);
        assert.equal(read(answer).service_id, service.id);
      }
    });

    test('the registry is JSON whatever was asked for: its clients parse nothing else', async () => {
      for (const accept of [...JSON_ACCEPTS, ...XML_ACCEPTS]) {
        const answer = await get('/api/contact-field-types', accept);
        assert.match(String(answer.headers['content-type']), /^application\/json/, String(accept));
        assert.ok(Array.isArray(JSON.parse(answer.text)));
      }
    });

    test('an empty list is no element in XML: clients read an empty element as text and crash or never end', async () => {
      const customer = await createCustomer(platform());
      for (const [path, member, token] of [
        ['/api/customer/changes', 'changes', customer.token],
        ['/api/company-connections', 'connections', customer.token],
        ['/api/company-data/connections?offset=1000', 'items', data],
      ] as const) {
        for (const accept of XML_ACCEPTS) {
          const answer = await get(path, accept, token);
          assert.equal(answer.status, 200, answer.text);
          assert.ok(!answer.text.includes(`<${member}`), `${path} ${answer.text}`);
        }
        assert.deepEqual(read(await get(path, 'application/json', token))[member], []);
      }
      const { text } = await get(`/api/company-data/connections/${connections[0]}`, 'application/xml');
      assert.ok(!text.includes('<pending_consent'), text);
    });

    test('errors are JSON for XML clients too: they read the key before the format', async () => {
      for (const accept of [...JSON_ACCEPTS, ...XML_ACCEPTS]) {
        const headers: Record<string, string> = accept === undefined ? {} : { accept };
        for (const [method, path, token, status, key] of [
          ['GET', '/api/company-data/connections/nothing', data, 404, 'company_data.connection_not_found'],
          ['GET', '/api/company-data/whoami', 'nothing', 401, 'auth.invalid'],
          ['GET', '/api/company-data/nothing', data, 404, 'request.not_found'],
          ['GET', '/api/services', data, 403, 'auth.client_endpoint_forbidden'],
        ] as const) {
          const answer = await ask(method, path, { token, headers });
          assert.match(String(answer.headers['content-type']), /^application\/json/);
          const { error, error_key } = JSON.parse(answer.text);
          assert.deepEqual([answer.status, error_key, typeof error], [status, key, 'string'], answer.text);
        }
      }
    });
  });

  describe('what a service reads', () => {
    for (const { name, accept } of BOTH) {
      test(`every page but the last is full, oldest first: clients stop at a short one (${name})`, async () => {
        const pages: string[][] = [];
        for (let offset = 0; ; offset += 3) {
          const page = read(await get(`/api/company-data/connections?limit=3&offset=${offset}`, accept));
          assert.equal(Number(page.total), PEOPLE);
          const rows = entries(page.items);
          for (const row of rows) assert.equal(row.id, row.connection_id);
          pages.push(rows.map((row) => row.connection_id));
          if (rows.length < 3) break;
        }
        assert.deepEqual(
          pages.map((page) => page.length),
          [3, 3, 1],
        );
        assert.deepEqual(pages.flat(), connections);
      });

      test(`a value is text, the JSON of its wrapper: clients parse it themselves (${name})`, async () => {
        const one = read(await get(`/api/company-data/connections/${connections[1]}`, accept));
        const [, row] = entries(read(await get('/api/company-data/connections?limit=2', accept)).items);
        for (const { values, values_private } of [one, row]) {
          assert.equal(typeof values.email.value, 'string');
          assert.equal(JSON.parse(values.email.value)._enc, 1);
          assert.equal(await service.open(values.email.value), 'a@b.example');
          assert.equal(String(values.email.live), 'true');
          assert.equal(String(values_private.email), 'false');
        }
      });

      test(`updatedAt and updated_at are the same instant: clients read the one or the other (${name})`, async () => {
        const { values } = read(await get(`/api/company-data/connections/${connections[0]}`, accept));
        assert.match(values.email.updated_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        assert.equal(values.email.updatedAt, values.email.updated_at);
      });

      test(`an event carries its value as text, and its format is the one asked for (${name})`, async () => {
        await drain();
        await edit('b@c.example');
        const [event] = entries(read(await get('/api/company-data/changes', accept)).changes);
        assert.deepEqual(
          [event.event, event.slug, String(event.live), event.customer_type, event.person_user_id],
          ['field_updated', 'email', 'true', 'person', first.id],
        );
        assert.equal(JSON.parse(event.value)._enc, 1);
      });
    }

    test('an answer called item would read as a list in XML: the slug is refused', async () => {
      const path = `/api/services/${service.id}/request-fields`;
      const { config_token } = read(await get(path, 'application/json', company.token));
      const answer = await ask('PUT', path, {
        token: company.token,
        ...asJson({ config_token, request_fields: [{ slug: 'item', label: 'Item', type: 'text' }] }),
      });
      assert.deepEqual([answer.status, read(answer).error_key], [400, 'request.invalid']);
      assert.equal(read(answer).issues[0].path, '/request_fields/0/slug');
    });
  });

  describe('a company as customer', () => {
    const ROWS = [
      { slug: 'vat', label: 'VAT', type: 'text', mandatory_connected: true },
      { slug: 'email', label: 'E-mail', type: 'email' },
      { slug: 'po', label: 'Order', type: 'text', one_time: true },
    ] as const;
    let shop: TestService;
    let customer: TestCustomer;
    let provider: string;
    let link: { id: string; linkId: string };

    before(async () => {
      shop = await createService(platform(), await registerCompany(platform(), 'Provider'), ROWS);
      provider = await dataToken(platform(), shop);
      customer = await createCustomer(platform());
      link = await connectCompany(platform(), customer, shop, {
        vat: { typed: 'DE1' },
        email: { typed: 'a@b.example' },
      });
    });
    const mapped = (answer: RawAnswer) =>
      Object.fromEntries(
        entries(read(answer).mappings).map(({ slug, kind }: { slug: string; kind: string }) => [slug, kind]),
      );
    const put = async (accept: string, answers: Parameters<typeof decisionsFor>[1]) => {
      const { body, headers } = asJson({ decisions: await decisionsFor(shop.rows, answers) });
      return ask('PUT', `/api/company-connections/${link.id}/services/${link.linkId}/mappings`, {
        token: customer.token,
        body,
        headers: { ...headers, accept },
      });
    };

    for (const { name, accept } of BOTH) {
      test(`a mapping leaves alone what it does not name: clients send only what they edit (${name})`, async () => {
        const feed = async () =>
          entries(read(await get('/api/company-data/changes', accept, provider)).changes);
        while ((await feed()).length > 0);
        const answer = await put(accept, { email: { typed: 'c@d.example' } });
        assert.equal(answer.status, 200, answer.text);
        assert.deepEqual(mapped(answer), { vat: 'typed', email: 'typed' });
        assert.deepEqual(
          (await feed()).map(({ event, slug }) => [event, slug]),
          [['field_updated', 'email']],
        );
      });

      test(`clients of companies type every answer, also of a one-time row (${name})`, async () => {
        const answer = await put(accept, { po: { typed: '77' } });
        assert.equal(answer.status, 200, answer.text);
        assert.equal(mapped(answer).po, 'one_time');
        assert.equal((await put(accept, { po: 'remove' })).status, 200);
      });
    }

    test('a link says what is pending with its id and rows, and declining needs no body', async () => {
      const rows = [...ROWS, { slug: 'note', label: 'Note', type: 'text' }] as const;
      for (const { accept } of BOTH) {
        await publish(platform(), shop.company, shop.id, rows);
        const { services } = read(await get(`/api/company-connections/${link.id}`, accept, customer.token));
        const { pending_consent: pending } = entries(services)[0];
        assert.deepEqual(
          entries(pending.request_fields).map((row) => [row.slug, row.type, row.field_type]),
          [['note', 'text', 'text']],
        );
        const declined = await ask('POST', `/api/company-connections/consents/${pending.id}/decline`, {
          token: customer.token,
          headers: { accept },
        });
        assert.equal(declined.status, 200, declined.text);
        assert.equal(read(declined).pending_consent ?? null, null);
        await publish(platform(), shop.company, shop.id, ROWS);
      }
    });

    test('no event has a rotation as its action: clients look for the words there too', async () => {
      const { publicKey, encryptedPrivateKey } = await createServiceKey();
      await platform().must('PUT', `/api/services/${shop.id}/key`, {
        token: shop.company.token,
        body: { public_key: publicKey, encrypted_private_key: encryptedPrivateKey },
      });
      await platform().context.jobWorker.run();
      const events = entries(
        read(await get('/api/customer/changes', 'application/json', customer.token)).changes,
      );
      assert.deepEqual([events.at(-1).event, events.at(-1).action], ['service_key_rotated', undefined]);
    });
  });

  test('a client that knows one base URL gets tokens and discovery there, and a base that it can call', async () => {
    const { client_id, client_secret } = await platform().must('POST', '/api/account/clients', {
      token: company.token,
      body: { name: 'One base', capabilities: [] },
    });
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
    for (const accept of [...JSON_ACCEPTS, ...XML_ACCEPTS]) {
      const answer = await ask('POST', '/oauth2/token', {
        body: form.toString(),
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          ...(accept === undefined ? {} : { accept }),
        },
      });
      const { access_token, api_url, token_type, expires_in } = JSON.parse(answer.text);
      assert.deepEqual([answer.status, token_type, expires_in], [200, 'Bearer', 3600]);
      const account = await call(`${api_url}/api/account`, 'GET', { token: access_token });
      assert.equal(read(account).company_user_id, company.id);
    }
    for (const path of ['/.well-known/oauth-authorization-server', '/oauth2/jwks', '/api/regions']) {
      const answer = await ask('GET', path, { headers: { accept: 'application/xml' } });
      assert.equal(answer.status, 200, answer.text);
      assert.equal(typeof JSON.parse(answer.text), 'object');
    }
  });

  async function createClient(): Promise<string> {
    const made = await platform().must('POST', '/api/account/clients', {
      token: company.token,
      body: { name: 'Automation', capabilities: [] },
    });
    return made.client_id;
  }

  async function drain(): Promise<void> {
    while (entries(read(await get('/api/company-data/changes', 'application/json')).changes).length > 0);
  }

  /** The first person gives the field behind the row another value. */
  async function edit(value: string): Promise<void> {
    const { token } = first;
    const { fields } = await platform().must('GET', '/api/person/fields', { token });
    const { id } = fields[0];
    const { slots } = await platform().must('GET', `/api/person/fields/${id}/slots`, { token });
    const copies = await Promise.all(
      slots.map(async (slot: { connection_id: string; request_field_id: string }) => ({
        connection_id: slot.connection_id,
        request_field_id: slot.request_field_id,
        value: await sealed(value),
      })),
    );
    await platform().must('PUT', `/api/person/fields/${id}`, {
      token,
      body: { value: await sealed(value), copies },
    });
  }
});

onPlatform(
  'clients in the field that are limited',
  (platform) => {
    test('a client that is limited waits a minute at most: it sleeps as long as Retry-After says', async () => {
      const { token } = await openShop(platform());
      const limited = async (path: string, given: Parameters<typeof call>[2], method = 'GET') => {
        for (let attempt = 0; attempt < 5; attempt++) {
          const answer = await call(`${platform().url}${path}`, method, given);
          if (answer.status !== 429) continue;
          const seconds = Number(answer.headers['retry-after']);
          assert.ok(
            Number.isInteger(seconds) && seconds >= 1 && seconds <= 60,
            answer.headers['retry-after']?.toString(),
          );
          assert.equal(typeof JSON.parse(answer.text).error_key, 'string');
          return;
        }
        assert.fail(`${path} was never limited`);
      };
      for (const accept of ['application/json', 'application/xml']) {
        const given = { token, headers: { accept } };
        await limited('/api/company-data/connections', given);
        await limited('/api/company-data/changes', given);
        await limited('/api/company-data/logs', given);
      }
    });
  },
  { SYMBOLON_RATE_CONNECTIONS: '1', SYMBOLON_RATE_CHANGES: '1', SYMBOLON_RATE_REFERENCE: '1' },
);
