import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  createService,
  dataToken,
  publish,
  registerCompany,
  registerPerson,
  sealed,
  type TestCompany,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { connectCompany, createCustomer, type TestCustomer } from '@symbolon/testkit/actors/customers';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refused } from '@symbolon/testkit/evidence/refusals';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { eventNames, forgetEvents } from '@symbolon/testkit/platform/raised-events';

const NOTE = { slug: 'note', label: 'Note', type: 'text' } as const;
const VAT = {
  slug: 'vat',
  label: 'VAT',
  type: 'text',
  audience: 'company',
  mandatory_provide: true,
} as const;
const BORN = { slug: 'born', label: 'Born', type: 'date_of_birth', audience: 'person' } as const;
const MAIL = { slug: 'mail', label: 'Mail', type: 'email' } as const;
const PATH = '/api/company-connections/consents';

onPlatform('what a service asks of companies later', (platform) => {
  let provider: TestCompany;
  before(async () => {
    provider = await registerCompany(platform(), 'Provider');
  });

  /** A connected company, and rows published afterwards. */
  async function setUp(): Promise<{
    service: TestService;
    customer: TestCustomer;
    link: { id: string; linkId: string };
    rows: Record<string, string>;
  }> {
    const service = await createService(platform(), provider, [NOTE]);
    const customer = await createCustomer(platform());
    const link = await connectCompany(platform(), customer, service, { note: { typed: 'one' } });
    const rows = await publish(platform(), provider, service.id, [NOTE, VAT, BORN, MAIL]);
    await forgetEvents(platform());
    return { service, customer, link, rows };
  }
  const consents = async ({ token }: TestCustomer) =>
    (await platform().must('GET', PATH, { token })).consents;
  const decision = async (rowId: string | undefined, kind = 'typed') => ({
    request_field_id: rowId,
    kind,
    value: await sealed('DE123'),
  });

  test('a consent is in the list and on the link, without the rows for people', async () => {
    const { service, customer, link, rows } = await setUp();
    const stored = await platform().must('GET', `/api/services/${service.id}`, { token: provider.token });
    const [consent, ...more] = await consents(customer);
    proves('route:GET /api/company-connections/consents');
    assert.deepEqual(more, []);
    const { id, request_fields, ...members } = consent;
    assert.deepEqual(members, {
      connection_id: link.id,
      service_link_id: link.linkId,
      company: { user_id: provider.id, display_name: 'Provider', share_code: provider.code },
      service: {
        id: service.id,
        name: 'Shop',
        share_code: service.code,
        audience: 'both',
        public_key: service.publicKey,
        public_key_sha256: stored.public_key_sha256,
      },
      created_at: new Date(platform().clock.now()).toISOString(),
    });
    assert.deepEqual(
      request_fields.map((row: { id: string; field_type: string }) => [row.id, row.field_type]),
      [
        [rows.vat, 'text'],
        [rows.mail, 'email'],
      ],
    );
    const connection = await platform().must('GET', `/api/company-connections/${link.id}`, {
      token: customer.token,
    });
    assert.deepEqual(connection.services[0].pending_consent, { id, request_fields });
    const token = await dataToken(platform(), service);
    const read = await platform().must('GET', `/api/company-data/connections/${link.linkId}`, { token });
    assert.deepEqual(read.pending_consent, ['vat', 'mail']);
  });

  test('the rows of a consent can be answered one by one', async () => {
    const { service, customer, rows } = await setUp();
    const { token } = customer;
    const [{ id }] = await consents(customer);
    const answer = await platform().call('POST', `${PATH}/${id}/provide`, {
      token,
      body: { decisions: [await decision(rows.vat)] },
    });
    assert.equal(answer.status, 200, answer.text);
    proves('route:POST /api/company-connections/consents/{id}/provide');
    assert.deepEqual(
      answer.body.mappings.map((one: { slug: string }) => one.slug),
      ['note', 'vat'],
    );
    assert.deepEqual(
      answer.body.pending_consent.request_fields.map((row: { slug: string }) => row.slug),
      ['mail'],
    );
    assert.deepEqual(await eventNames(platform(), service.id), ['consent_accepted vat']);
    await platform().must('POST', `${PATH}/${id}/provide`, {
      token,
      body: { decisions: [await decision(rows.mail, 'one_time')] },
    });
    assert.deepEqual(await consents(customer), []);
    await refused(platform(), [404, 'consents.not_found'], 'POST', `${PATH}/${id}/provide`, {
      token,
      body: { decisions: [await decision(rows.mail)] },
    });
  });

  test('some or all rows of a consent can be declined, mandatory ones too', async () => {
    const { service, customer, rows } = await setUp();
    const { token } = customer;
    const [{ id }] = await consents(customer);
    const some = await platform().must('POST', `${PATH}/${id}/decline`, {
      token,
      body: { request_field_ids: [rows.vat] },
    });
    assert.deepEqual(
      some.pending_consent.request_fields.map((row: { slug: string }) => row.slug),
      ['mail'],
    );
    const all = await platform().must('POST', `${PATH}/${id}/decline`, { token });
    proves('route:POST /api/company-connections/consents/{id}/decline');
    assert.equal(all.pending_consent, null);
    assert.deepEqual(await eventNames(platform(), service.id), [
      'consent_declined vat',
      'consent_declined mail',
    ]);
  });

  test('a consent refuses decisions on other rows, and callers that it does not ask', async () => {
    const { customer, rows } = await setUp();
    const { token } = customer;
    const [{ id }] = await consents(customer);
    const provide = (decisions: object[], expected: readonly [number, string], as = token) =>
      refused(platform(), expected, 'POST', `${PATH}/${id}/provide`, { token: as, body: { decisions } });
    await provide([], [422, 'contact_data.decision_invalid']);
    await provide([await decision(rows.note)], [422, 'contact_data.decision_invalid']);
    await provide([await decision(rows.born)], [422, 'contact_data.decision_invalid']);
    await provide([{ request_field_id: rows.vat, kind: 'remove' }], [422, 'contact_data.decision_invalid']);
    await provide(
      [{ request_field_id: rows.vat, kind: 'typed', value: 'x' }],
      [400, 'contact_data.encryption_required'],
    );
    const stranger = await createCustomer(platform());
    await provide([await decision(rows.vat)], [404, 'consents.not_found'], stranger.token);
    await refused(platform(), [404, 'consents.not_found'], 'POST', `${PATH}/${id}/decline`, {
      token: stranger.token,
    });
    const person = await registerPerson(platform());
    const asPerson = await platform().call('POST', `/api/person/consents/${id}/decline`, {
      token: person.token,
    });
    assert.equal(asPerson.status, 404);
    for (const body of [{ request_field_ids: [] }, { request_field_ids: [rows.born] }]) {
      await refused(platform(), [422, 'contact_data.decision_invalid'], 'POST', `${PATH}/${id}/decline`, {
        token,
        body,
      });
    }
  });

  test('a publish with rows for people alone opens no consent for a company', async () => {
    const service = await createService(platform(), provider, [NOTE]);
    const customer = await createCustomer(platform());
    await connectCompany(platform(), customer, service);
    await publish(platform(), provider, service.id, [NOTE, BORN]);
    assert.deepEqual(await consents(customer), []);
  });
});
