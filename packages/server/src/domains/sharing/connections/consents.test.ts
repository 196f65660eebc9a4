import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestFieldInput } from '@symbolon/protocol';
import {
  connect,
  createField,
  createService,
  decisionsFor,
  publish,
  registerCompany,
  registerPerson,
  type TestAnswer,
} from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refused } from '@symbolon/testkit/evidence/refusals';
import { onEachEngine } from '@symbolon/testkit/platform/platform';
import { eventNames, forgetEvents } from '@symbolon/testkit/platform/raised-events';

const text = (slug: string, more: Partial<RequestFieldInput> = {}): RequestFieldInput => ({
  slug,
  label: slug,
  type: 'text',
  ...more,
});

onEachEngine('what a service asks for later', (platform) => {
  /** A connected person, asked for new rows. */
  async function asked(...added: readonly RequestFieldInput[]) {
    const company = await registerCompany(platform());
    const service = await createService(platform(), company, [text('a')]);
    const person = await registerPerson(platform());
    const field = await createField(platform(), person, { type: 'text', slug: 'mine', value: 'x' });
    const id = await connect(platform(), person, service);
    const rows = await publish(platform(), company, service.id, [text('a'), ...added]);
    await forgetEvents(platform());
    const { token } = person;
    const list = async () => (await platform().must('GET', '/api/person/consents', { token })).consents;
    const [consent] = await list();
    const path = `/api/person/consents/${consent?.id}`;
    const post = (act: 'provide' | 'decline', body: object) =>
      platform().call('POST', `${path}/${act}`, { token, body });
    const provide = async (answers: Readonly<Record<string, TestAnswer>>) =>
      post('provide', { decisions: await decisionsFor(rows, answers) });
    const refuse = (expected: readonly [number, string], act: 'provide' | 'decline', body: object) =>
      refused(platform(), expected, 'POST', `${path}/${act}`, { token, body });
    const events = () => eventNames(platform(), service.id);
    const connection = () => platform().must('GET', `/api/person/connections/${id}`, { token });
    return {
      company,
      service,
      person,
      token,
      field,
      id,
      rows,
      list,
      consent,
      path,
      post,
      provide,
      refuse,
      events,
      connection,
    };
  }
  const slugs = (rows: readonly { slug: string }[]) => rows.map((row) => row.slug);

  test('a publish opens one consent on a connection, for the rows asked of people', async () => {
    const { list, consent, id, service, company, connection } = await asked(
      text('b'),
      text('c', { mandatory_connected: true }),
      text('vat', { audience: 'company' }),
    );
    assert.equal((await list()).length, 1);
    assert.equal(consent.connection_id, id);
    assert.equal(consent.company.company_code, company.code);
    assert.equal(consent.service.id, service.id);
    assert.equal(Date.parse(consent.created_at), platform().clock.now());
    assert.deepEqual(slugs(consent.request_fields), ['b', 'c']);
    const { pending_consent } = await connection();
    assert.deepEqual(pending_consent, { id: consent.id, request_fields: consent.request_fields });
  });

  test('people who connect after the publish get no consent', async () => {
    const { service } = await asked(text('b'));
    const person = await registerPerson(platform());
    await connect(platform(), person, service);
    assert.deepEqual(
      (await platform().must('GET', '/api/person/consents', { token: person.token })).consents,
      [],
    );
  });

  test('a second publish adds its rows to the open consent', async () => {
    const { provide, company, service, list, consent } = await asked(text('b'), text('c'));
    await provide({ b: { once: 'x' } });
    await publish(platform(), company, service.id, [text('a'), text('b'), text('c'), text('d')]);
    const [joined, ...others] = await list();
    assert.deepEqual(others, []);
    assert.notEqual(joined.id, consent.id);
    assert.deepEqual(slugs(joined.request_fields), ['c', 'd']);
  });

  test('the rows of a consent can be answered one by one', async () => {
    const { provide, events, field, list, connection } = await asked(text('b'), text('c'), text('d'));
    const first = await provide({ b: { field, value: 'x' } });
    assert.equal(first.status, 200, first.text);
    proves('route:POST /api/person/consents/{id}/provide');
    assert.deepEqual(slugs(first.body.mappings), ['b']);
    assert.deepEqual(slugs(first.body.pending_consent.request_fields), ['c', 'd']);
    const rest = await provide({ d: { once: 'y' }, c: { field, once: 'x' } });
    assert.equal(rest.body.pending_consent, null);
    assert.deepEqual(await connection(), rest.body);
    assert.deepEqual(
      rest.body.mappings.map(({ slug, kind }: { slug: string; kind: string }) => [slug, kind]),
      [
        ['b', 'live'],
        ['c', 'one_time'],
        ['d', 'one_time'],
      ],
    );
    assert.deepEqual(await events(), ['consent_accepted b', 'consent_accepted d', 'consent_accepted c']);
    proves('event:consent_accepted', 'state:consent.pending-accepted');
    assert.deepEqual(await list(), []);
  });

  test('providing needs an answer to every mandatory row, unless it is declined first', async () => {
    const { provide, post, rows, connection } = await asked(
      text('b', { mandatory_provide: true }),
      text('c', { mandatory_connected: true, audience: 'company' }),
      text('d'),
    );
    const refusal = await provide({ d: { once: 'y' } });
    assert.deepEqual(
      [refusal.status, refusal.body.error_key, refusal.body.missing],
      [422, 'contact_data.mandatory_missing', ['b']],
    );
    assert.deepEqual((await connection()).mappings, []);
    assert.equal((await post('decline', { request_field_ids: [rows.b] })).status, 200);
    const answer = await provide({ d: { once: 'y' } });
    assert.deepEqual(slugs(answer.body.mappings), ['d']);
  });

  test('mandatory rows of a consent can be declined', async () => {
    const { post, rows, events, connection, list } = await asked(
      text('b', { mandatory_connected: true }),
      text('c', { mandatory_provide: true }),
      text('d'),
    );
    const first = await post('decline', { request_field_ids: [rows.c] });
    assert.equal(first.status, 200, first.text);
    assert.deepEqual(slugs(first.body.pending_consent.request_fields), ['b', 'd']);
    assert.deepEqual(await events(), ['consent_declined c']);
    const rest = await post('decline', {});
    assert.equal(rest.body.pending_consent, null);
    assert.deepEqual(await events(), ['consent_declined c', 'consent_declined b', 'consent_declined d']);
    assert.deepEqual((await connection()).mappings, []);
    proves('event:consent_declined', 'state:consent.pending-declined');
    assert.deepEqual(await list(), []);
  });

  test('a declined row can still be answered by a mapping', async () => {
    const { post, rows, id, token, events } = await asked(text('b'));
    await post('decline', {});
    await forgetEvents(platform());
    const body = { decisions: await decisionsFor(rows, { b: { once: 'x' } }) };
    await platform().must('PUT', `/api/person/connections/${id}/mappings`, { token, body });
    assert.deepEqual(await events(), ['consent_accepted b']);
  });

  test('a consent accepts decisions on its open rows only', async () => {
    const { refuse, rows, provide, post, path, token } = await asked(
      text('b'),
      text('c'),
      text('d'),
      text('vat', { audience: 'company' }),
    );
    await provide({ b: { once: 'x' } });
    await post('decline', { request_field_ids: [rows.c] });
    const invalid = [422, 'contact_data.decision_invalid'] as const;
    for (const slug of ['a', 'b', 'c', 'vat']) {
      await refuse(invalid, 'provide', { decisions: await decisionsFor(rows, { [slug]: { once: 'x' } }) });
      await refuse(invalid, 'decline', { request_field_ids: [rows[slug]] });
    }
    await refuse(invalid, 'provide', { decisions: [] });
    await refuse(invalid, 'provide', { decisions: [{ request_field_id: rows.d, kind: 'remove' }] });
    await refuse(invalid, 'decline', { request_field_ids: [] });
    await refuse(invalid, 'decline', { request_field_ids: [rows.d, rows.d] });
    await refuse(invalid, 'decline', { request_field_ids: ['__proto__'] });
    await post('decline', {});
    const gone = [404, 'consents.not_found'] as const;
    await refused(platform(), gone, 'POST', `${path}/decline`, { token, body: {} });
  });

  test('a consent checks answers in the same way as connecting', async () => {
    const { refuse, rows, field } = await asked(
      text('stay', { mandatory_connected: true }),
      text('once', { one_time: true }),
      text('mail', { type: 'email', verified: true }),
    );
    const live = { field, value: 'x' };
    const decide = async (answers: Readonly<Record<string, TestAnswer>>) => ({
      decisions: await decisionsFor(rows, answers),
    });
    await refuse([422, 'contact_data.mandatory'], 'provide', await decide({ stay: { once: 'x' } }));
    await refuse([422, 'contact_data.mandatory_missing'], 'provide', await decide({ once: { once: 'x' } }));
    const stay = live;
    await refuse([422, 'contact_data.type_mismatch'], 'provide', await decide({ stay, mail: live }));
    proves(
      'error:contact_data.one_time_only',
      'error:contact_data.type_mismatch',
      'error:contact_data.verification_required',
    );
    await refuse(
      [422, 'contact_data.verification_required'],
      'provide',
      await decide({ stay, mail: { once: 'x' } }),
    );
    // All or nothing: the sound answer beside a refused one is not stored.
    await refuse([422, 'contact_data.one_time_only'], 'provide', await decide({ stay: live, once: live }));
  });

  test('a consent has the same id for all customers, and each of them answers separately', async () => {
    const company = await registerCompany(platform());
    const service = await createService(platform(), company);
    const people = [await registerPerson(platform()), await registerPerson(platform())] as const;
    for (const person of people) await connect(platform(), person, service);
    await publish(platform(), company, service.id, [text('b')]);
    const consentOf = async (token: string) =>
      (await platform().must('GET', '/api/person/consents', { token })).consents[0]?.id;
    const id = await consentOf(people[0].token);
    assert.equal(await consentOf(people[1].token), id);
    await platform().must('POST', `/api/person/consents/${id}/decline`, { token: people[0].token });
    proves('route:POST /api/person/consents/{id}/decline', 'route:GET /api/person/consents');
    assert.equal(await consentOf(people[0].token), undefined);
    assert.equal(await consentOf(people[1].token), id);
  });

  test('other people cannot find a consent', async () => {
    const { consent } = await asked(text('b'));
    const { token } = await registerPerson(platform());
    const gone = [404, 'consents.not_found'] as const;
    for (const id of [consent.id, 'nothing', '__proto__']) {
      const path = `/api/person/consents/${id}`;
      await refused(platform(), gone, 'POST', `${path}/decline`, { token, body: {} });
      await refused(platform(), gone, 'POST', `${path}/provide`, { token, body: { decisions: [] } });
    }
  });

  test('of two simultaneous answers to a consent only one is stored', async () => {
    const { provide, post, events } = await asked(text('b'));
    const answers = await Promise.all([
      provide({ b: { once: 'x' } }),
      provide({ b: { once: 'y' } }),
      post('decline', {}),
    ]);
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 404, 404]);
    assert.equal((await events()).length, 1);
  });

  test('a consent is deleted with its row and with its connection', async () => {
    const { company, service, list, id, token } = await asked(text('b'));
    await publish(platform(), company, service.id, [text('a'), text('c')]);
    assert.deepEqual(slugs((await list())[0].request_fields), ['c']);
    await platform().call('DELETE', `/api/person/connections/${id}`, { token });
    assert.deepEqual(await list(), []);
  });
});
