import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
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
  sealed,
  type TestAnswer,
  type TestPerson,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { mailsTo } from '@symbolon/testkit/actors/mails';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refused } from '@symbolon/testkit/evidence/refusals';
import { onEachEngine, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { eventNames, forgetEvents, raisedEvents } from '@symbolon/testkit/platform/raised-events';
import { attest } from './testing/attest.ts';

const DAY = 24 * 60 * 60 * 1000;
const email: RequestFieldInput = { slug: 'email', label: 'E-mail', type: 'email' };

async function serviceWith(platform: TestPlatform, rows: readonly RequestFieldInput[] = [email]) {
  return createService(platform, await registerCompany(platform, 'Acme'), rows);
}

async function set(platform: TestPlatform, service: TestService, setting: string, body: object) {
  await platform.must('PUT', `/api/services/${service.id}/${setting}`, {
    token: service.company.token,
    body,
  });
}

async function requestFor(
  service: TestService,
  answers: Readonly<Record<string, TestAnswer>>,
  rows: Readonly<Record<string, string>> = service.rows,
) {
  return {
    company_code: service.company.code,
    service_code: service.code,
    decisions: await decisionsFor(rows, answers),
  };
}

async function slotsOf(platform: TestPlatform, connectionId: string) {
  return platform.context.database.reader
    .selectFrom('slot_values')
    .selectAll()
    .where('connection_id', '=', connectionId)
    .execute();
}

async function connectionCount(platform: TestPlatform, service: TestService): Promise<number> {
  const path = `/api/services/${service.id}`;
  return (await platform.must('GET', path, { token: service.company.token })).connection_count;
}

onEachEngine('looking a service up', (platform) => {
  test('a lookup shows the company, the service, what is shared and what is asked of people', async () => {
    const service = await serviceWith(platform(), [
      { ...email, mandatory_provide: true, audience: 'person' },
      { slug: 'vat', label: 'VAT number', type: 'text', audience: 'company' },
      { slug: 'phone', label: 'Phone', type: 'phone' },
    ]);
    const shares = `/api/services/${service.id}/share-fields`;
    const { config_token } = await platform().must('GET', shares, { token: service.company.token });
    const hotline = { slug: 'hotline', label: 'Hotline', type: 'phone', value: '+49 30 123456' };
    await platform().must('PUT', shares, {
      token: service.company.token,
      body: { config_token, share_fields: [hotline] },
    });
    const { token } = await registerPerson(platform());
    const path = `/api/person/lookup/${service.company.code}/${service.code}`;
    const found = await platform().must('GET', path, { token });
    assert.deepEqual(found.company, {
      company_user_id: service.company.id,
      display_name: 'Acme',
      company_code: service.company.code,
      photo: null,
    });
    assert.deepEqual([found.service.id, found.service.public_key], [service.id, service.publicKey]);
    assert.deepEqual(found.shared, [hotline]);
    assert.deepEqual(
      found.request_fields.map((row: { slug: string }) => row.slug),
      ['email', 'phone'],
    );
    assert.deepEqual(await platform().must('GET', path.toLowerCase(), { token }), found);
  });

  test('a lookup requires two known codes of a service that accepts people', async () => {
    const service = await serviceWith(platform());
    const { token } = await registerPerson(platform());
    const get = (expected: readonly [number, string], path: string) =>
      refused(platform(), expected, 'GET', `/api/person/lookup/${path}`, { token });
    proves('route:GET /api/person/lookup/{companyCode}');
    await get([400, 'profile.company_code_requires_service'], service.company.code);
    await get([400, 'profile.company_code_requires_service'], 'NOBODY');
    await get([400, 'profile.company_code_requires_service'], `${service.company.code}/%20`);
    await get([404, 'profile.not_found'], `${service.company.code}/NOPE`);
    await get([404, 'profile.not_found'], `NOBODY/${service.code}`);
    await get([404, 'profile.not_found'], 'constructor/__proto__');
    await set(platform(), service, 'audience', { audience: 'company' });
    await get([403, 'services.audience_b2b_only'], `${service.company.code}/${service.code}`);
  });
});

onEachEngine('connecting', (platform) => {
  const post = async (
    person: TestPerson,
    service: TestService,
    answers: Readonly<Record<string, TestAnswer>> = {},
  ) =>
    platform().call('POST', '/api/person/connections', {
      token: person.token,
      body: await requestFor(service, answers),
    });
  const refusedWith = async (
    person: TestPerson,
    service: TestService,
    expected: readonly [number, string],
    decisions: object[],
  ) =>
    refused(platform(), expected, 'POST', '/api/person/connections', {
      token: person.token,
      body: { company_code: service.company.code, service_code: service.code, decisions },
    });

  test('connecting stores all answers and raises one event', async () => {
    const service = await serviceWith(platform(), [
      email,
      { slug: 'contact', label: 'Contact', type: 'text' },
      { slug: 'size', label: 'Size', type: 'text', one_time: true },
      { slug: 'phone', label: 'Phone', type: 'phone' },
    ]);
    const person = await registerPerson(platform());
    const mail = await createField(platform(), person, {
      type: 'email',
      slug: 'mail',
      value: 'a@example.com',
      private: true,
    });
    const answer = await post(person, service, {
      email: { field: mail, value: 'a@example.com' },
      contact: { field: mail, once: 'a@example.com' },
      size: { once: '42' },
    });
    assert.equal(answer.status, 201, answer.text);
    proves('route:POST /api/person/connections');
    const { connection_id, mappings, pending_consent, connected_at } = answer.body;
    assert.equal(Date.parse(connected_at), platform().clock.now());
    assert.equal(pending_consent, null);
    const updated_at = connected_at;
    const row = (slug: string) => ({ request_field_id: service.rows[slug], slug, updated_at });
    assert.deepEqual(mappings, [
      { ...row('email'), kind: 'live', field_id: mail },
      { ...row('contact'), kind: 'one_time', field_id: mail },
      { ...row('size'), kind: 'one_time', field_id: null },
    ]);
    const slots = new Map(
      (await slotsOf(platform(), connection_id)).map((slot) => [slot.request_field_id, slot]),
    );
    assert.equal(await service.open(slots.get(service.rows.size ?? '')?.value ?? ''), '42');
    assert.deepEqual([...slots.values()].map((slot) => slot.private).sort(), [0, 1, 1]);
    assert.deepEqual(await raisedEvents(platform(), service.id), [
      { event: 'connection_created', slug: null, customer: person.id },
    ]);
    assert.equal(await connectionCount(platform(), service), 1);
    const path = `/api/person/connections/${connection_id}`;
    assert.deepEqual(await platform().must('GET', path, { token: person.token }), answer.body);
    proves('event:connection_created', 'state:connection.person-connects');
    assert.deepEqual(await platform().must('GET', '/api/person/connections', { token: person.token }), {
      connections: [answer.body],
    });
  });

  test('a second connection to the same service is refused', async () => {
    const service = await serviceWith(platform());
    const person = await registerPerson(platform());
    assert.equal((await post(person, service)).status, 201);
    await refusedWith(person, service, [409, 'connections.exists'], []);
    assert.equal((await post(await registerPerson(platform()), service)).status, 201);
    assert.equal(await connectionCount(platform(), service), 2);
  });

  test('two simultaneous requests create one connection', async () => {
    const service = await serviceWith(platform());
    const person = await registerPerson(platform());
    const answers = await Promise.all([1, 2, 3].map(() => post(person, service)));
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [201, 409, 409]);
    assert.equal(await connectionCount(platform(), service), 1);
    assert.deepEqual(await eventNames(platform(), service.id), ['connection_created']);
  });

  test('people who connect at the same time are all counted', async () => {
    const service = await serviceWith(platform());
    const people = await Promise.all(Array.from({ length: 6 }, () => registerPerson(platform())));
    const answers = await Promise.all(people.map((person) => post(person, service)));
    assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([201]));
    assert.equal(await connectionCount(platform(), service), 6);
    assert.equal((await eventNames(platform(), service.id)).length, 6);
  });

  test('connecting requires a service code of a known service that accepts people', async () => {
    const service = await serviceWith(platform());
    const { token } = await registerPerson(platform());
    const call = (expected: readonly [number, string], body: object) =>
      refused(platform(), expected, 'POST', '/api/person/connections', {
        token,
        body: { decisions: [], ...body },
      });
    const company_code = service.company.code;
    await call([400, 'profile.company_code_requires_service'], { company_code });
    for (const service_code of ['', null])
      await call([400, 'profile.company_code_requires_service'], { company_code, service_code });
    await call([404, 'profile.not_found'], { company_code, service_code: 'NOPE' });
    await set(platform(), service, 'audience', { audience: 'company' });
    proves(
      'error:profile.company_code_requires_service',
      'error:profile.not_found',
      'error:services.audience_b2b_only',
    );
    await call([403, 'services.audience_b2b_only'], { company_code, service_code: service.code });
  });

  test('connecting to a service that requires a second factor is refused without one', async () => {
    const service = await serviceWith(platform());
    await set(platform(), service, 'require-2fa', { require_2fa: true });
    const person = await registerPerson(platform());
    proves('error:connections.two_factor_required');
    await refusedWith(person, service, [403, 'connections.two_factor_required'], []);
    const codes = { company_code: service.company.code.toLowerCase(), service_code: service.code };
    const connecting = (proof: object) =>
      platform().call('POST', '/api/person/connections', {
        token: person.token,
        body: { ...codes, decisions: [], proof },
      });
    const login_secret = person.loginSecret;
    const alone = await connecting({ kind: 'password', login_secret });
    assert.deepEqual([alone.status, alone.body.error_key], [401, 'auth.two_factor_required']);
    const act = `connect ${service.company.code}/${service.code}`;
    await platform().must('POST', '/api/person/presence/mailed-code', { token: person.token, body: { act } });
    const [mail] = await mailsTo(platform(), person.email);
    const mailed_code = /\b\d{6}\b/.exec(mail ?? '')?.[0];
    const proven = await connecting({ kind: 'password', login_secret, mailed_code });
    assert.equal(proven.status, 201, proven.text);
  });

  test('connecting refuses decisions on rows that do not exist, are not asked of people or are named twice', async () => {
    const service = await serviceWith(platform(), [
      email,
      { slug: 'vat', label: 'VAT number', type: 'text', audience: 'company' },
    ]);
    const other = await serviceWith(platform());
    const person = await registerPerson(platform());
    const value = await sealed('x');
    const invalid = [422, 'contact_data.decision_invalid'] as const;
    const decision = (request_field_id: string | undefined) => ({
      request_field_id,
      kind: 'one_time',
      value,
    });
    for (const id of ['nothing', '__proto__', 'constructor', 'email', other.rows.email, service.rows.vat]) {
      await refusedWith(person, service, invalid, [decision(id)]);
    }
    await refusedWith(person, service, invalid, [decision(service.rows.email), decision(service.rows.email)]);
    await refusedWith(person, service, invalid, [{ request_field_id: service.rows.email, kind: 'remove' }]);
    await refusedWith(person, service, invalid, [
      { request_field_id: service.rows.email, kind: 'remove', value },
    ]);
    await refusedWith(person, service, invalid, [{ ...decision(service.rows.email), kind: 'live' }]);
    await refusedWith(
      person,
      service,
      [400, 'request.invalid'],
      [{ ...decision(service.rows.email), kind: 'typed' }],
    );
  });

  test('connecting requires an answer to each mandatory row', async () => {
    const service = await serviceWith(platform(), [
      { ...email, mandatory_provide: true },
      { slug: 'phone', label: 'Phone', type: 'phone', mandatory_connected: true },
      { slug: 'vat', label: 'VAT', type: 'text', mandatory_provide: true, audience: 'company' },
      { slug: 'note', label: 'Note', type: 'text' },
    ]);
    const person = await registerPerson(platform());
    proves('error:contact_data.mandatory_missing');
    const missing = [422, 'contact_data.mandatory_missing'] as const;
    assert.deepEqual((await refusedWith(person, service, missing, [])).body.missing, ['email', 'phone']);
    const decisions = await decisionsFor(service.rows, { email: { once: 'x' }, note: { once: 'x' } });
    assert.deepEqual((await refusedWith(person, service, missing, decisions)).body.missing, ['phone']);
    const phone = await createField(platform(), person, { type: 'phone', slug: 'phone', value: '+4930123' });
    const once = await decisionsFor(service.rows, {
      email: { once: 'x' },
      phone: { field: phone, once: '+4930123' },
    });
    await refusedWith(person, service, [422, 'contact_data.mandatory'], once);
    const answer = await post(person, service, {
      email: { once: 'x' },
      phone: { field: phone, value: '+4930123' },
    });
    assert.equal(answer.status, 201, answer.text);
  });

  test('live answers come from the person’s own fields of a type that fits the row', async () => {
    const service = await serviceWith(platform(), [
      email,
      { slug: 'any', label: 'Anything', type: 'text' },
      { slug: 'once', label: 'Once', type: 'text', one_time: true },
    ]);
    const person = await registerPerson(platform());
    const mail = await createField(platform(), person, { type: 'email', slug: 'mail', value: 'x' });
    const text = await createField(platform(), person, { type: 'text', slug: 'text', value: 'x' });
    const other = await registerPerson(platform());
    const theirs = await createField(platform(), other, { type: 'email', slug: 'mail', value: 'x' });
    const attempt = async (
      expected: readonly [number, string],
      answers: Readonly<Record<string, TestAnswer>>,
    ) => refusedWith(person, service, expected, await decisionsFor(service.rows, answers));
    await attempt([404, 'contact_data.not_found'], { email: { field: theirs, value: 'x' } });
    await attempt([404, 'contact_data.not_found'], { email: { field: theirs, once: 'x' } });
    await attempt([404, 'contact_data.not_found'], { email: { field: '__proto__', value: 'x' } });
    await attempt([422, 'contact_data.type_mismatch'], { email: { field: text, value: 'x' } });
    await attempt([422, 'contact_data.type_mismatch'], { email: { field: text, once: 'x' } });
    await attempt([422, 'contact_data.one_time_only'], { once: { field: text, value: 'x' } });
    assert.equal((await post(person, service, { any: { field: mail, value: 'x' } })).status, 201);
  });

  test('connecting accepts sealed values only', async () => {
    const service = await serviceWith(platform());
    const person = await registerPerson(platform());
    const request_field_id = service.rows.email;
    const iv = randomBytes(11).toString('base64');
    const wrapper = { ...JSON.parse(await sealed('x')), iv };
    for (const [key, value] of [
      ['contact_data.encryption_required', 'ada@example.com'],
      ['contact_data.encryption_required', { street: 'Main Street' }],
      ['contact_data.encryption_required', undefined],
      ['contact_data.wrapper_invalid', wrapper],
      ['contact_data.wrapper_invalid', JSON.stringify(wrapper)],
    ] as const) {
      const decision = { request_field_id, kind: 'one_time', value };
      await refusedWith(person, service, [400, key], [decision]);
    }
    const field_id = await createField(platform(), person, { type: 'email', slug: 'mine', value: 'x' });
    // Only a file is answered by its name alone.
    const named = { request_field_id, kind: 'live', field_id };
    await refusedWith(person, service, [400, 'contact_data.encryption_required'], [named]);
    const value = JSON.parse(await sealed('x'));
    const answer = await platform().call('POST', '/api/person/connections', {
      token: person.token,
      body: {
        company_code: service.company.code,
        service_code: service.code,
        decisions: [{ request_field_id, kind: 'one_time', value }],
      },
    });
    assert.equal(answer.status, 201, answer.text);
    const [slot] = await slotsOf(platform(), answer.body.connection_id);
    assert.equal(slot?.value, JSON.stringify(value));
  });

  test('connecting refuses inline values for file rows', async () => {
    const service = await serviceWith(platform(), [{ slug: 'photo', label: 'Photo', type: 'photo' }]);
    const person = await registerPerson(platform());
    const decisions = await decisionsFor(service.rows, { photo: { once: 'x' } });
    proves('error:contact_data.files_unsupported');
    await refusedWith(person, service, [400, 'contact_data.files_unsupported'], decisions);
  });

  test('verified rows require a valid attestation', async () => {
    const service = await serviceWith(platform(), [
      { ...email, verified: true },
      { slug: 'fresh', label: 'E-mail', type: 'email', verified: true, verified_max_age_days: 7 },
    ]);
    const person = await registerPerson(platform());
    const mail = await createField(platform(), person, { type: 'email', slug: 'mail', value: 'x' });
    const attempt = async (answers: Readonly<Record<string, TestAnswer>>) =>
      refusedWith(
        person,
        service,
        [422, 'contact_data.verification_required'],
        await decisionsFor(service.rows, answers),
      );
    const live = { field: mail, value: 'x' };
    await attempt({ email: live });
    await attempt({ email: { field: mail, once: 'x' } });
    await attempt({ email: { once: 'x' } });
    const now = platform().clock.now();
    await attest(platform(), mail, { at: now - 8 * DAY });
    await attempt({ fresh: live });
    await attest(platform(), mail, { at: now - 7 * DAY });
    await attempt({ fresh: live });
    await attest(platform(), mail, { at: now - 8 * DAY, expiresAt: now });
    await attempt({ email: live });

    await attest(platform(), mail, { at: now - 7 * DAY + 1, expiresAt: now + DAY });
    const answer = await post(person, service, { email: live, fresh: { field: mail, once: 'x' } });
    assert.equal(answer.status, 201, answer.text);
    const slots = await slotsOf(platform(), answer.body.connection_id);
    const ends = Object.fromEntries(
      slots.map((slot) => [
        slot.request_field_id,
        Date.parse(JSON.parse(slot.verification ?? '').verified_expires_at),
      ]),
    );
    assert.deepEqual(ends, { [service.rows.email ?? '']: now + DAY, [service.rows.fresh ?? '']: now + 1 });
  });

  test('a snapshot keeps the attestation that its field had', async () => {
    const service = await serviceWith(platform());
    const person = await registerPerson(platform());
    const mail = await createField(platform(), person, { type: 'email', slug: 'mail', value: 'x' });
    await attest(platform(), mail, { at: platform().clock.now() });
    const id = await connect(platform(), person, service, { email: { field: mail, once: 'x' } });
    await platform().must('DELETE', `/api/person/fields/${mail}/verification`, { token: person.token });
    const [slot] = await slotsOf(platform(), id);
    assert.equal(JSON.parse(slot?.verification ?? '{}').verified_method, 'email_code');
    assert.deepEqual(await eventNames(platform(), service.id), ['connection_created']);
  });

  test('connecting during a publish leaves no answer without a row', async () => {
    const service = await serviceWith(platform(), [email, { slug: 'note', label: 'Note', type: 'text' }]);
    const people = await Promise.all([1, 2, 3].map(() => registerPerson(platform())));
    const [, ...answers] = await Promise.all([
      publish(platform(), service.company, service.id, [email]),
      ...people.map((person) => post(person, service, { email: { once: 'x' }, note: { once: 'x' } })),
    ]);
    for (const answer of answers) assert.ok([201, 422].includes(answer.status), answer.text);
    await platform().context.jobWorker.run();
    const orphans = await platform()
      .context.database.reader.selectFrom('slot_values')
      .leftJoin('request_fields', 'request_fields.id', 'slot_values.request_field_id')
      .select('slot_values.connection_id')
      .where('request_fields.id', 'is', null)
      .execute();
    assert.deepEqual(orphans, []);
  });
});

onEachEngine('a person’s connections', (platform) => {
  test('connections are listed oldest first, each with its own data', async () => {
    const person = await registerPerson(platform());
    const mail = await createField(platform(), person, { type: 'email', slug: 'mail', value: 'x' });
    const services = [
      await serviceWith(platform()),
      await serviceWith(platform(), [{ slug: 'constructor', label: 'C', type: 'text' }]),
      await serviceWith(platform(), []),
    ] as const;
    const ids = [
      await connect(platform(), person, services[0], { email: { field: mail, value: 'x' } }),
      await connect(platform(), person, services[1], { constructor: { once: 'x' } }),
      await connect(platform(), person, services[2]),
    ];
    const { connections } = await platform().must('GET', '/api/person/connections', { token: person.token });
    assert.deepEqual(
      connections.map(
        (row: { connection_id: string; service: { id: string }; mappings: { slug: string }[] }) => [
          row.connection_id,
          row.service.id,
          row.mappings.map((mapping) => mapping.slug),
        ],
      ),
      [
        [ids[0], services[0].id, ['email']],
        [ids[1], services[1].id, ['constructor']],
        [ids[2], services[2].id, []],
      ],
    );
  });

  test('other people cannot find a connection', async () => {
    const service = await serviceWith(platform());
    const id = await connect(platform(), await registerPerson(platform()), service);
    const { token } = await registerPerson(platform());
    const gone = [404, 'connections.not_found'] as const;
    const path = `/api/person/connections/${id}`;
    await refused(platform(), gone, 'GET', path, { token });
    await refused(platform(), gone, 'PUT', `${path}/mappings`, { token, body: { decisions: [] } });
    await refused(platform(), gone, 'DELETE', path, { token });
    assert.deepEqual((await platform().must('GET', '/api/person/connections', { token })).connections, []);
  });

  test('disconnecting deletes all that was shared, and the person can connect again', async () => {
    const service = await serviceWith(platform());
    const person = await registerPerson(platform());
    const { token } = person;
    const mail = await createField(platform(), person, { type: 'email', slug: 'mail', value: 'x' });
    const id = await connect(platform(), person, service, { email: { field: mail, value: 'x' } });
    await forgetEvents(platform());
    const path = `/api/person/connections/${id}`;
    proves('route:DELETE /api/person/connections/{id}');
    assert.equal((await platform().call('DELETE', path, { token })).status, 204);
    assert.deepEqual(await eventNames(platform(), service.id), ['connection_deleted']);
    assert.deepEqual(await slotsOf(platform(), id), []);
    assert.equal(await connectionCount(platform(), service), 0);
    await refused(platform(), [404, 'connections.not_found'], 'DELETE', path, { token });
    assert.deepEqual((await platform().must('GET', `/api/person/fields/${mail}/slots`, { token })).slots, []);
    proves('event:connection_deleted', 'state:connection.person-ends');
    assert.notEqual(await connect(platform(), person, service), id);
  });

  test('a connection can be ended only once', async () => {
    const service = await serviceWith(platform());
    const { token, ...person } = await registerPerson(platform());
    const id = await connect(platform(), { token, ...person }, service);
    const answers = await Promise.all(
      [1, 2, 3].map(() => platform().call('DELETE', `/api/person/connections/${id}`, { token })),
    );
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [204, 404, 404]);
    assert.equal(await connectionCount(platform(), service), 0);
  });
});
