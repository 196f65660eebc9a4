import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  connect,
  createAccountClient,
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
import {
  connectCompany,
  createCustomer,
  publishShare,
  type TestCustomer,
} from '@symbolon/testkit/actors/customers';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refused } from '@symbolon/testkit/evidence/refusals';
import { onEachEngine } from '@symbolon/testkit/platform/platform';
import { eventNames, forgetEvents, raisedEvents } from '@symbolon/testkit/platform/raised-events';

const ROWS = [
  { slug: 'vat', label: 'VAT number', type: 'text', audience: 'company', mandatory_provide: true },
  { slug: 'email', label: 'E-mail', type: 'email', mandatory_connected: true },
  { slug: 'note', label: 'Note', type: 'text', reason: 'It stands on the invoice' },
  { slug: 'po', label: 'Purchase order', type: 'text', one_time: true },
  { slug: 'birthday', label: 'Birthday', type: 'date_of_birth', audience: 'person', mandatory_provide: true },
  { slug: 'proof', label: 'Proof', type: 'email', verified: true },
  { slug: 'logo', label: 'Logo', type: 'photo' },
] as const;
const MANDATORY = { vat: { typed: 'DE123' }, email: { typed: 'office@buyer.example' } } as const;
const PATH = '/api/company-connections';

onEachEngine('a company as customer', (platform) => {
  let provider: TestCompany;
  let service: TestService;
  let customer: TestCustomer;
  before(async () => {
    provider = await registerCompany(platform(), 'Provider');
    service = await createService(platform(), provider, ROWS);
    customer = await createCustomer(platform());
  });
  const fresh = () => createCustomer(platform());
  const call = (method: string, path: string, body?: unknown, token = customer.token) =>
    platform().call(method, `${PATH}${path}`, { token, ...(body === undefined ? {} : { body }) });
  const get = async (path: string, token = customer.token) =>
    platform().must('GET', `${PATH}${path}`, { token });
  const mappings = ({ id, linkId }: { id: string; linkId: string }) => `/${id}/services/${linkId}/mappings`;
  const asked = async (answers: Parameters<typeof decisionsFor>[1], of = service) => ({
    decisions: await decisionsFor(of.rows, answers),
  });
  const request = async (answers: Parameters<typeof decisionsFor>[1], of = service) => ({
    company_code: of.company.code,
    service_code: of.code,
    ...(await asked(answers, of)),
  });

  describe('looking a service up', () => {
    test('a lookup shows the key of a service and the rows asked of companies', async () => {
      await publishShare(platform(), service, 'nine to five');
      const stored = await platform().must('GET', `/api/services/${service.id}`, { token: provider.token });
      const found = await get(`/lookup/${provider.code.toLowerCase()}/${service.code}`);
      assert.deepEqual(found.company, {
        user_id: provider.id,
        display_name: 'Provider',
        share_code: provider.code,
      });
      assert.deepEqual(found.service, {
        id: service.id,
        name: 'Shop',
        share_code: service.code,
        audience: 'both',
        public_key: service.publicKey,
        public_key_sha256: stored.public_key_sha256,
      });
      assert.deepEqual(
        found.request_fields.map((row: { slug: string }) => row.slug),
        ['vat', 'email', 'note', 'po', 'proof', 'logo'],
      );
      assert.deepEqual(found.request_fields[0], {
        id: service.rows.vat,
        slug: 'vat',
        label: 'VAT number',
        type: 'text',
        field_type: 'text',
        one_time: false,
        mandatory_provide: true,
        mandatory_connected: false,
        verified: false,
        verified_max_age_days: null,
        audience: 'company',
      });
      assert.equal(found.request_fields[2].reason, 'It stands on the invoice');
      assert.deepEqual(found.shared, [
        { slug: 'hours', label: 'Hours', type: 'text', value: 'nine to five' },
      ]);
    });

    test('a lookup refuses a company code alone, unknown codes and the caller’s own services', async () => {
      const own = await createService(platform(), customer.company);
      proves('error:company_connections.own_service');
      for (const [path, status, key] of [
        [`/lookup/${provider.code}`, 400, 'profile.company_code_requires_service'],
        [`/lookup/${provider.code}/NOTHING`, 404, 'profile.not_found'],
        [`/lookup/NOTHING/${service.code}`, 404, 'profile.not_found'],
        [`/lookup/${customer.company.code}/${own.code}`, 400, 'company_connections.own_service'],
      ] as const) {
        const { status: got, body } = await call('GET', path);
        assert.deepEqual([got, body.error_key], [status, key], path);
      }
      proves('route:GET /api/company-connections/lookup/{companyCode}');
      const connecting = await call('POST', '', await request({}, own));
      assert.deepEqual(
        [connecting.status, connecting.body.error_key],
        [400, 'company_connections.own_service'],
      );
    });

    test('a lookup refuses a service for people only, except to companies that are connected to it', async () => {
      const closing = await createService(platform(), provider);
      const { token } = customer;
      const link = await connectCompany(platform(), customer, closing);
      await platform().must('PUT', `/api/services/${closing.id}/audience`, {
        token: provider.token,
        body: { audience: 'person' },
      });
      assert.equal((await get(`/lookup/${provider.code}/${closing.code}`)).service.audience, 'person');
      const other = await fresh();
      proves('error:company_connections.persons_only');
      for (const [method, path, body] of [
        ['GET', `/lookup/${provider.code}/${closing.code}`, undefined],
        ['POST', '', await request({}, closing)],
      ] as const) {
        const answer = await call(method, path, body, other.token);
        assert.deepEqual([answer.status, answer.body.error_key], [403, 'company_connections.persons_only']);
      }
      await platform().must('DELETE', `${PATH}/${link.id}/services/${link.linkId}`, { token });
    });

    test('a service for companies only accepts companies and refuses people', async () => {
      const b2b = await createService(platform(), provider);
      await platform().must('PUT', `/api/services/${b2b.id}/audience`, {
        token: provider.token,
        body: { audience: 'company' },
      });
      await connectCompany(platform(), await fresh(), b2b);
      const person = await registerPerson(platform());
      const path = `/api/person/lookup/${provider.code}/${b2b.code}`;
      const answer = await platform().call('GET', path, { token: person.token });
      assert.deepEqual([answer.status, answer.body.error_key], [403, 'services.audience_b2b_only']);
    });
  });

  describe('connecting', () => {
    test('connecting returns the connection as its customer sees it', async () => {
      const { token } = await fresh();
      const answer = await call('POST', '', await request({ ...MANDATORY, po: { once: '77' } }), token);
      assert.equal(answer.status, 201, answer.text);
      const at = new Date(platform().clock.now()).toISOString();
      const { id, services } = answer.body;
      const [link] = services;
      const mapping = (slug: string, kind: string) => ({
        request_field_id: service.rows[slug],
        slug,
        kind,
        updated_at: at,
      });
      assert.notEqual(id, link.service_link_id);
      assert.deepEqual(answer.body, {
        id,
        customer_type: 'company',
        company: { user_id: provider.id, display_name: 'Provider', share_code: provider.code },
        company_profile: [],
        services: [
          {
            service_link_id: link.service_link_id,
            service_id: service.id,
            service_name: 'Shop',
            service_code: service.code,
            shared: [{ slug: 'hours', label: 'Hours', type: 'text', value: 'nine to five' }],
            mappings: [mapping('vat', 'typed'), mapping('email', 'typed'), mapping('po', 'one_time')],
            pending_consent: null,
            documents: [],
          },
        ],
        documents: [],
      });
      proves(
        'route:GET /api/company-connections',
        'route:GET /api/company-connections/{id}',
        'route:POST /api/company-connections',
      );
      assert.deepEqual(await get(`/${id}`, token), answer.body);
      assert.deepEqual(await get('', token), { connections: [answer.body] });
    });

    test('connecting raises connection_created, and the service reads what was sealed for it', async () => {
      const buyer = await createCustomer(platform(), 'Big Buyer');
      await forgetEvents(platform());
      const shop = await createService(platform(), provider, ROWS);
      const { linkId } = await connectCompany(platform(), buyer, shop, {
        ...MANDATORY,
        po: { once: '77' },
      });
      const token = await dataToken(platform(), shop);
      const read = await platform().must('GET', `/api/company-data/connections/${linkId}`, { token });
      const at = new Date(platform().clock.now()).toISOString();
      const { values, ...members } = read;
      assert.deepEqual(members, {
        connection_id: linkId,
        user_id: buyer.company.id,
        share_code: buyer.company.code,
        customer_type: 'company',
        display_name: 'Big Buyer',
        connected_at: at,
        values_private: { vat: false, email: false, po: false },
        pending_consent: [],
      });
      assert.equal(await shop.open(values.vat.value), 'DE123');
      assert.deepEqual(
        Object.entries(values as Record<string, { live: boolean }>).map(([slug, { live }]) => [slug, live]),
        [
          ['vat', true],
          ['email', true],
          ['po', false],
        ],
      );
      assert.equal(values.vat.verified_hash, undefined);

      const person = await registerPerson(platform(), 'Ada');
      const open = await createService(platform(), provider, [ROWS[2]]);
      await connect(platform(), person, open);
      await connectCompany(platform(), buyer, open);
      const list = await platform().must('GET', '/api/company-data/connections', {
        token: await dataToken(platform(), open),
      });
      assert.equal(list.total, 2);
      assert.deepEqual(
        list.items.map((row: Record<string, unknown>) => [
          row.customer_type,
          row.display_name,
          row.user_id,
          row.share_code,
        ]),
        [
          ['person', 'Ada', person.id, person.shareCode],
          ['company', 'Big Buyer', buyer.company.id, buyer.company.code],
        ],
      );

      const { changes } = await platform().must('GET', '/api/company-data/changes', { token });
      const [{ id: _, ...event }] = changes;
      proves('state:connection.company-connects');
      assert.deepEqual(event, {
        event: 'connection_created',
        person_user_id: buyer.company.id,
        share_code: buyer.company.code,
        at,
        customer_type: 'company',
      });
    });

    test('the services of one company are in one connection, those of another company in another', async () => {
      const buyer = await fresh();
      const other = await fresh();
      const second = await createService(platform(), provider);
      const elsewhere = await createService(platform(), await registerCompany(platform(), 'Another'));
      const [first, next] = [
        await connectCompany(platform(), buyer, service, MANDATORY),
        await connectCompany(platform(), buyer, second),
      ];
      const third = await connectCompany(platform(), buyer, elsewhere);
      const others = await connectCompany(platform(), other, second);
      assert.equal(first.id, next.id);
      assert.notEqual(first.id, third.id);
      assert.notEqual(first.id, others.id, 'a connection is one customer’s');
      const { connections } = await get('', buyer.token);
      assert.deepEqual(
        connections.map((one: { id: string; services: object[] }) => [one.id, one.services.length]),
        [
          [first.id, 2],
          [third.id, 1],
        ],
      );
    });

    test('two links that are created at the same time share their connection', async () => {
      const buyer = await fresh();
      const shops = await Promise.all([1, 2, 3].map(() => createService(platform(), provider)));
      const made = await Promise.all(shops.map((shop) => connectCompany(platform(), buyer, shop)));
      assert.equal(new Set(made.map(({ id }) => id)).size, 1);
    });

    test('a service that requires a second factor of people accepts companies without one', async () => {
      const guarded = await createService(platform(), provider);
      await platform().must('PUT', `/api/services/${guarded.id}/require-2fa`, {
        token: provider.token,
        body: { require_2fa: true },
      });
      await connectCompany(platform(), await fresh(), guarded);
    });

    test('connecting refuses decisions that it refuses from people too', async () => {
      const buyer = await fresh();
      const value = await sealed('x');
      const row = (slug: string) => service.rows[slug];
      const mandatory = await decisionsFor(service.rows, MANDATORY);
      const codes = { company_code: provider.code, service_code: service.code };
      const refusals: readonly [object, number, string][] = [
        [{ company_code: provider.code, decisions: [] }, 400, 'profile.company_code_requires_service'],
        [{ ...codes, service_code: null, decisions: [] }, 400, 'profile.company_code_requires_service'],
        [{ ...codes, service_code: 'NOTHING', decisions: [] }, 404, 'profile.not_found'],
        [{ ...codes, decisions: [] }, 422, 'contact_data.mandatory_missing'],
        ...(
          [
            [{ request_field_id: 'nothing', kind: 'typed', value }, 422, 'contact_data.decision_invalid'],
            [{ request_field_id: row('vat'), kind: 'typed', value }, 422, 'contact_data.decision_invalid'],
            [{ request_field_id: row('note'), kind: 'remove' }, 422, 'contact_data.decision_invalid'],
            [{ request_field_id: row('note'), kind: 'remove', value }, 422, 'contact_data.decision_invalid'],
            [{ request_field_id: row('note'), kind: 'typed' }, 400, 'contact_data.encryption_required'],
            [
              { request_field_id: row('note'), kind: 'typed', value: 'x' },
              400,
              'contact_data.encryption_required',
            ],
            [
              { request_field_id: row('note'), kind: 'typed', value: { a: 1 } },
              400,
              'contact_data.encryption_required',
            ],
            [
              {
                request_field_id: row('note'),
                kind: 'typed',
                value: { _enc: 1, k: 'AAAA', iv: 'AAAA', d: 'AAAA' },
              },
              400,
              'contact_data.wrapper_invalid',
            ],
            [
              { request_field_id: row('proof'), kind: 'typed', value },
              422,
              'contact_data.verification_required',
            ],
            [
              { request_field_id: row('proof'), kind: 'one_time', value },
              422,
              'contact_data.verification_required',
            ],
            [{ request_field_id: row('logo'), kind: 'typed', value }, 400, 'contact_data.files_unsupported'],
            [
              { request_field_id: row('birthday'), kind: 'typed', value },
              400,
              'contact_data.usertype_forbidden',
            ],
            [{ request_field_id: row('note'), kind: 'live', value }, 400, 'request.invalid'],
            [{ request_field_id: row('note'), kind: 'typed', value, field_id: 'x' }, 400, 'request.invalid'],
          ] as const
        ).map(
          ([decision, status, key]) =>
            [{ ...codes, decisions: [...mandatory, decision] }, status, key] as [object, number, string],
        ),
        [
          {
            ...codes,
            decisions: [mandatory[0], { request_field_id: row('email'), kind: 'one_time', value }],
          },
          422,
          'contact_data.mandatory',
        ],
      ];
      for (const [body, status, key] of refusals) {
        await refused(platform(), [status, key], 'POST', PATH, { token: buyer.token, body });
      }
      const missing = await call('POST', '', { ...codes, decisions: [] }, buyer.token);
      assert.deepEqual(missing.body.missing, ['vat', 'email'], 'rows asked of people do not concern it');
    });

    test('a wrapper may be sent as an object, and a second connection to the service is refused', async () => {
      const buyer = await fresh();
      const [vat, email] = (await decisionsFor(service.rows, MANDATORY)) as { value: string }[];
      const body = {
        company_code: provider.code,
        service_code: service.code,
        decisions: [{ ...vat, value: JSON.parse(vat?.value ?? '') }, email],
      };
      await platform().must('POST', PATH, { token: buyer.token, body });
      await refused(platform(), [409, 'connections.exists'], 'POST', PATH, { token: buyer.token, body });
    });
  });

  test('a connection shows the business card of the other company', async () => {
    const seller = await registerCompany(platform(), 'Seller');
    const post = (path: string, body: object) => platform().must('POST', path, { token: seller.token, body });
    const field = await post('/api/contact-fields', {
      type: 'text',
      slug: 'motto',
      label: 'Motto',
      usertype: 'company',
    });
    await post('/api/contact-data', { field_id: field.id, value: 'We sell' });
    const buyer = await fresh();
    const shop = await createService(platform(), seller);
    const { id } = await connectCompany(platform(), buyer, shop);
    assert.deepEqual((await get(`/${id}`, buyer.token)).company_profile, [
      { slug: 'motto', label: 'Motto', type: 'text', value: 'We sell' },
    ]);
  });

  describe('mapping', () => {
    test('mapping changes the answers that are named and raises one event for each slot', async () => {
      const buyer = await fresh();
      const link = await connectCompany(platform(), buyer, service, {
        ...MANDATORY,
        note: { typed: 'one' },
      });
      await forgetEvents(platform());
      platform().clock.advance(1000);
      const answer = await call(
        'PUT',
        mappings(link),
        await asked({ note: 'remove', email: { typed: 'new@buyer.example' }, po: { once: '78' } }),
        buyer.token,
      );
      assert.equal(answer.status, 200, answer.text);
      proves('route:PUT /api/company-connections/{id}/services/{serviceLinkId}/mappings');
      assert.equal(answer.body.service_link_id, link.linkId);
      const at = new Date(platform().clock.now()).toISOString();
      assert.deepEqual(
        answer.body.mappings.map((one: Record<string, string>) => [
          one.slug,
          one.kind,
          one.updated_at === at,
        ]),
        [
          ['vat', 'typed', false],
          ['email', 'typed', true],
          ['po', 'one_time', true],
        ],
      );
      assert.deepEqual(await eventNames(platform(), service.id), [
        'field_deleted note',
        'field_updated email',
        'consent_accepted po',
      ]);
      const [first] = await raisedEvents(platform(), service.id);
      assert.equal(first?.customer, buyer.company.id);
      const read = await platform()
        .context.database.reader.selectFrom('slot_values')
        .select(['request_field_id', 'value', 'field_id'])
        .where('connection_id', '=', link.linkId)
        .execute();
      const email = read.find((slot) => slot.request_field_id === service.rows.email);
      assert.equal(await service.open(email?.value ?? ''), 'new@buyer.example');
      assert.ok(read.every((slot) => slot.field_id === null));
    });

    test('mapping refuses to drop a mandatory answer or to make it a one-time answer', async () => {
      const buyer = await fresh();
      const link = await connectCompany(platform(), buyer, service, MANDATORY);
      const path = `${PATH}${mappings(link)}`;
      const { token } = buyer;
      const refuse = async (status: number, key: string, answers: Parameters<typeof decisionsFor>[1]) =>
        refused(platform(), [status, key], 'PUT', path, { token, body: await asked(answers) });
      await refuse(409, 'contact_data.mandatory', { email: 'remove' });
      await refuse(409, 'contact_data.mandatory', { vat: 'remove', email: 'remove' });
      await refuse(422, 'contact_data.mandatory', { email: { once: 'x' } });
      await refuse(400, 'contact_data.usertype_forbidden', { birthday: { typed: '1990-02-28' } });
      const removed = await call('PUT', mappings(link), await asked({ vat: 'remove' }), token);
      assert.equal(removed.status, 200, 'mandatory_provide asks for the answer, it does not keep it');
    });

    test('an answer to a row that is now asked of people alone can be kept or dropped', async () => {
      const buyer = await fresh();
      const shop = await createService(platform(), provider, [ROWS[2]]);
      const link = await connectCompany(platform(), buyer, shop, { note: { typed: 'one' } });
      await publish(platform(), provider, shop.id, [{ ...ROWS[2], audience: 'person' }]);
      const kept = await call('PUT', mappings(link), await asked({}, shop), buyer.token);
      assert.equal(kept.body.mappings.length, 1);
      const dropped = await call('PUT', mappings(link), await asked({ note: 'remove' }, shop), buyer.token);
      assert.deepEqual(dropped.body.mappings, []);
    });
  });

  test('a typed answer to a one-time row is a one-time answer, for clients of companies type every answer', async () => {
    const buyer = await fresh();
    const link = await connectCompany(platform(), buyer, service, { ...MANDATORY, po: { typed: '77' } });
    const read = async () => (await get(`/${link.id}`, buyer.token)).services[0].mappings;
    const kinds = async () =>
      (await read()).map((one: { slug: string; kind: string }) => [one.slug, one.kind]);
    const expected = [
      ['vat', 'typed'],
      ['email', 'typed'],
      ['po', 'one_time'],
    ];
    assert.deepEqual(await kinds(), expected);
    await platform().must('PUT', `${PATH}${mappings(link)}`, {
      token: buyer.token,
      body: await asked({ po: { typed: '78' } }),
    });
    assert.deepEqual(await kinds(), expected);
  });

  describe('ending', () => {
    test('a connection ends when its last link is ended', async () => {
      const buyer = await fresh();
      const { token } = buyer;
      const shop = await createService(platform(), provider);
      const first = await connectCompany(platform(), buyer, service, MANDATORY);
      const second = await connectCompany(platform(), buyer, shop);
      await forgetEvents(platform());
      const end = (linkId: string) => call('DELETE', `/${first.id}/services/${linkId}`, undefined, token);
      assert.equal((await end(first.linkId)).status, 204);
      assert.deepEqual(await eventNames(platform(), service.id), ['connection_deleted']);
      proves('route:DELETE /api/company-connections/{id}/services/{serviceLinkId}');
      assert.equal((await get(`/${first.id}`, token)).services.length, 1);
      assert.equal((await end(second.linkId)).status, 204);
      assert.equal((await call('GET', `/${first.id}`, undefined, token)).status, 404);
      assert.deepEqual(await get('', token), { connections: [] });
      const slots = await platform()
        .context.database.reader.selectFrom('slot_values')
        .select('connection_id')
        .where('connection_id', '=', first.linkId)
        .execute();
      proves('state:connection.company-ends');
      assert.deepEqual(slots, []);
    });

    test('all links of a connection can be ended at once', async () => {
      const buyer = await fresh();
      const shops = await Promise.all([1, 2].map(() => createService(platform(), provider)));
      const made = await Promise.all(shops.map((shop) => connectCompany(platform(), buyer, shop)));
      await forgetEvents(platform());
      assert.equal((await call('DELETE', `/${made[0]?.id}`, undefined, buyer.token)).status, 204);
      for (const shop of shops) {
        assert.deepEqual(await eventNames(platform(), shop.id), ['connection_deleted']);
        const { connection_count } = await platform().must('GET', `/api/services/${shop.id}`, {
          token: provider.token,
        });
        assert.equal(connection_count, 0);
      }
      assert.deepEqual(await get('', buyer.token), { connections: [] });
    });

    test('the audit log of the customer records connecting and disconnecting', async () => {
      const buyer = await fresh();
      const shop = await createService(platform(), provider);
      const { id } = await connectCompany(platform(), buyer, shop);
      await call('DELETE', `/${id}`, undefined, buyer.token);
      const { items } = await platform().must('GET', '/api/account/audit-log', {
        token: buyer.company.token,
      });
      assert.deepEqual(
        items
          .slice(0, 2)
          .map((entry: Record<string, unknown>) => [entry.action, entry.target, entry.details]),
        [
          ['company_connection.services_disconnected', id, { service_ids: [shop.id] }],
          [
            'company_connection.service_connected',
            id,
            { company_code: provider.code, service_code: shop.code },
          ],
        ],
      );
    });

    test('the service can end the connection too', async () => {
      const buyer = await fresh();
      const shop = await createService(platform(), provider);
      const { linkId } = await connectCompany(platform(), buyer, shop);
      const token = await dataToken(platform(), shop);
      await platform().must('DELETE', `/api/company-data/connections/${linkId}`, { token });
      assert.deepEqual(await get('', buyer.token), { connections: [] });
    });
  });

  test('other companies cannot find the connection', async () => {
    const link = await connectCompany(platform(), await fresh(), service, MANDATORY);
    const stranger = await createCustomer(platform());
    await connectCompany(platform(), stranger, service, MANDATORY);
    const body = await asked(MANDATORY);
    for (const [method, path, sent] of [
      ['GET', `/${link.id}`, undefined],
      ['DELETE', `/${link.id}`, undefined],
      ['DELETE', `/${link.id}/services/${link.linkId}`, undefined],
      ['PUT', mappings(link), body],
    ] as const) {
      for (const token of [stranger.token, stranger.company.token, provider.token]) {
        await refused(platform(), [404, 'connections.not_found'], method, `${PATH}${path}`, {
          token,
          ...(sent === undefined ? {} : { body: sent }),
        });
      }
    }
    const mine = (await get('', stranger.token)).connections[0];
    const mixed = { id: mine.id, linkId: link.linkId };
    await refused(platform(), [404, 'connections.not_found'], 'PUT', `${PATH}${mappings(mixed)}`, {
      token: stranger.token,
      body,
    });
  });

  test('the portal has access, and an account client without the group has none', async () => {
    const { company } = await fresh();
    assert.deepEqual(await get('', company.token), { connections: [] });
    const { token } = await createAccountClient(platform(), company, ['service_management']);
    const answer = await call('GET', '', undefined, token);
    assert.deepEqual([answer.status, answer.body.error_key], [403, 'auth.client_endpoint_forbidden']);
  });
});
