import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import {
  buildPhotoEnvelope,
  fingerprintWords,
  generateKeyPair,
  importPrivateKey,
  openText,
} from '@symbolon/crypto';
import { systemRegistry } from '@symbolon/field-types';
import type {
  ChangePasswordRequest,
  ConnectRequest,
  CreatePersonFieldRequest,
  FieldFileRequest,
  LiveSlot,
  PersonAccount,
  PersonConfirmRequest,
  PersonRecoveryCodeRequest,
  PersonRegisterRequest,
  Pins,
  PutPinsRequest,
  RecoverRequest,
  UpdatePersonFieldRequest,
  UploadFileRequest,
} from '@symbolon/protocol';
import {
  AuthenticationError,
  ConflictError,
  InvalidRequestError,
  TransportError,
  UnconfirmedKeyError,
  ValueError,
} from '../http/errors.ts';
import { connectLink, readConnectLink } from '../known-keys/connect-link.ts';
import { FakePlatform, refusal } from '../testing/fake-platform.ts';
import { PlainDate } from '../values/plain-date.ts';
import { PersonClient } from './person-client.ts';

const EMAIL = 'anna@example.org';
const PASSWORD = 'correct horse battery';

/** A platform that keeps one account as it was registered, and fields as they were sealed. */
async function fakePeople() {
  let account: PersonAccount | undefined;
  let valid = '';
  let tokens = 0;
  let version = 1;
  let pins: Pins = { counter: 0, iv: null, data: null };
  const fields: Record<string, unknown>[] = [];
  const saved = () => account ?? assert.fail('nobody registered');
  const session = () => {
    const { display_name, public_key, encrypted_private_key } = saved();
    valid = `p${++tokens}`;
    const person = { person_user_id: 'p', email: EMAIL, display_name, public_key };
    return {
      body: { token_type: 'Bearer', access_token: valid, expires_in: 3600, person, encrypted_private_key },
    };
  };
  const guarded =
    (answer: () => object) =>
    ({ token }: { token: string | undefined }) =>
      token === valid ? { body: answer() } : refusal(401, 'auth.expired');
  const isSecret = (secret: string, expected: string) => secret === expected;
  const platform = await FakePlatform.start({
    'POST /api/person/register': ({ json }) => {
      account = json<PersonRegisterRequest>().account;
      return account ? { ...session(), status: 201 } : { status: 202, body: { ticket: 'ticket' } };
    },
    'POST /api/person/register/confirm': ({ json }) => {
      const request = json<PersonConfirmRequest>();
      if (request.ticket !== 'ticket' || request.code !== '123456')
        return refusal(401, 'account.code_invalid');
      account = request.account;
      return { ...session(), status: 201 };
    },
    'POST /api/person/login/parameters': () => ({ body: { version, salt: saved().salt } }),
    'POST /api/person/login': ({ json }) =>
      isSecret(json<{ login_secret: string }>().login_secret, saved().login_secret)
        ? session()
        : refusal(401, 'auth.credentials_invalid'),
    'POST /api/person/recover/key': ({ json }) =>
      isSecret(json<{ recovery_secret: string }>().recovery_secret, saved().recovery.secret)
        ? { body: { encrypted_private_key: saved().recovery.encrypted_private_key } }
        : refusal(401, 'account.recovery_invalid'),
    'POST /api/person/recover': ({ json }) => {
      account = { ...saved(), ...json<RecoverRequest>() };
      return session();
    },
    'PUT /api/person/recovery-code': ({ json }) => {
      const { login_secret, recovery } = json<PersonRecoveryCodeRequest>();
      if (login_secret !== saved().login_secret) return refusal(401, 'auth.credentials_invalid');
      account = { ...saved(), recovery };
      return { status: 204 };
    },
    'DELETE /api/person': ({ json }) => {
      if (!isSecret(json<{ login_secret: string }>().login_secret, saved().login_secret))
        return refusal(401, 'auth.credentials_invalid');
      account = undefined;
      return { status: 204 };
    },
    'PUT /api/person/password': ({ json }) => {
      const { current_login_secret, ...members } = json<ChangePasswordRequest>();
      if (current_login_secret !== saved().login_secret) return refusal(401, 'auth.credentials_invalid');
      account = { ...saved(), ...members };
      return session();
    },
    'GET /api/contact-field-types': () => ({ body: systemRegistry.rows }),
    'GET /api/person/pins': () => ({ body: pins }),
    'PUT /api/person/pins': ({ json }) => {
      const next = json<PutPinsRequest>();
      if (next.counter <= pins.counter) return refusal(409, 'people.pins_outdated');
      pins = next;
      return { status: 204 };
    },
    'GET /api/person/fields': guarded(() => ({ fields })),
    'POST /api/person/fields': ({ json }) => {
      const id = `f${fields.length + 1}`;
      const body = {
        id,
        private: false,
        usertype: 'any',
        created_at: 'x',
        updated_at: 'x',
        ...json<object>(),
      };
      fields.push(body);
      platform.route(`GET /api/person/fields/${id}`, () => ({ body }));
      return { status: 201, body };
    },
  });
  const access = { baseUrl: platform.url, email: EMAIL };
  const register = () => PersonClient.register({ ...access, displayName: 'Anna', password: PASSWORD });
  return {
    platform,
    access,
    register,
    pins: () => pins,
    setPins: (next: Pins) => {
      pins = next;
    },
    setPublicKey: (public_key: string) => {
      account = { ...saved(), public_key };
    },
    setVersion: (next: number) => {
      version = next;
    },
    endTokens: () => {
      valid = 'none';
    },
    [Symbol.asyncDispose]: () => platform[Symbol.asyncDispose](),
  };
}

/** A service with its key. */
async function fakeServiceKey() {
  const { publicKey, privateKey } = await generateKeyPair();
  const public_key_sha256 = hash('sha256', Buffer.from(publicKey, 'base64'));
  const key = await importPrivateKey(privateKey);
  return {
    card: { id: 's', name: 'Shop', share_code: 'SHOP', public_key: publicKey, public_key_sha256 },
    open: (wrapper: unknown) => openText(wrapper as string, key),
  };
}

test('a person registers with the code that was mailed, and is asked again after a wrong one', async () => {
  await using people = await fakePeople();
  const asked: number[] = [];
  const person = { ...people.access, displayName: 'Anna', password: PASSWORD };
  const { client } = await PersonClient.register({
    ...person,
    code: async (attempt) => {
      asked.push(attempt);
      return attempt === 1 ? '000000' : ' 123 456\n';
    },
  });
  assert.deepEqual(asked, [1, 2]);
  assert.equal(client.person.display_name, 'Anna');
  const first = people.platform.requests.find(({ path }) => path === '/api/person/register');
  assert.deepEqual(first?.json(), { email: EMAIL }, 'the first call has the address alone');
  await assert.rejects(PersonClient.register({ ...person, code: async () => '999999' }), {
    errorKey: 'account.code_invalid',
  });
  assert.equal(
    people.platform.count('/api/person/register/confirm'),
    4,
    'the same wrong code is tried twice',
  );
});

test('a password that is short or easy to guess is refused before anything is sent', async () => {
  await using people = await fakePeople();
  for (const [password, reason] of [
    ['123456789', 'too_short'],
    ['qwertyuiop', 'easy_to_guess'],
    ['Password123', 'easy_to_guess'],
    ['Anastasia1990', 'easy_to_guess'],
    ['Examination1', 'easy_to_guess'],
    ['anna@example.org', 'easy_to_guess'],
    ['x'.repeat(201), 'too_long'],
  ] as const) {
    await assert.rejects(
      PersonClient.register({ ...people.access, displayName: 'Anna', password }),
      (error) => {
        assert.ok(error instanceof InvalidRequestError);
        assert.deepEqual([error.errorKey, error.details.reason], ['sdk.password_weak', reason]);
        return true;
      },
    );
  }
  assert.equal(people.platform.requests.length, 0);
  const { client, recoveryCode } = await people.register();
  const { length } = people.platform.requests;
  const weak = { errorKey: 'sdk.password_weak' };
  await assert.rejects(client.security.changePassword({ password: PASSWORD }, 'iloveyou123'), weak);
  await assert.rejects(
    PersonClient.recover({ ...people.access, recoveryCode, newPassword: 'iloveyou123' }),
    weak,
  );
  const sent = people.platform.requests.slice(length).map(({ path }) => path);
  assert.deepEqual(sent, ['/api/person/recover/key'], 'nothing is changed');
});

test('the person client sends nothing derived by a recipe that is unknown or older than before', async () => {
  await using people = await fakePeople();
  const { client } = await people.register();
  assert.equal(client.loginVersion, 1);
  const access = { ...people.access, password: PASSWORD };
  const lowered = { errorKey: 'sdk.login_version_lowered' };
  await assert.rejects(PersonClient.login({ ...access, lastVersion: 2 }), lowered);
  people.setVersion(2);
  await assert.rejects(PersonClient.login(access), { errorKey: 'sdk.login_version_unknown' });
  await assert.rejects(client.security.renewRecoveryCode({ password: PASSWORD }), {
    errorKey: 'sdk.login_version_unknown',
  });
  assert.equal(people.platform.count('/api/person/login'), 0);
});

test('an account is deleted with a proof', async () => {
  await using people = await fakePeople();
  const { client } = await people.register();
  await assert.rejects(client.security.deleteAccount({ password: 'not the password' }), AuthenticationError);
  await client.security.deleteAccount({ password: PASSWORD });
  assert.equal(people.platform.count('/api/person'), 2);
});

test('a renewed recovery code takes the place of the former one', async () => {
  await using people = await fakePeople();
  const { client, recoveryCode } = await people.register();
  await assert.rejects(
    client.security.renewRecoveryCode({ password: 'not the password' }),
    AuthenticationError,
  );
  const renewed = await client.security.renewRecoveryCode({ password: PASSWORD });
  const recover = (code: string) =>
    PersonClient.recover({ ...people.access, recoveryCode: code, newPassword: 'another one 77' });
  await assert.rejects(recover(recoveryCode), { errorKey: 'account.recovery_invalid' });
  await assert.rejects(recover('1234'), { errorKey: 'sdk.recovery_code_malformed' });
  assert.equal((await recover(renewed)).client.person.display_name, 'Anna');
});

test('the person client sends no password, recovery code or readable value, and opens the fields again after login and after recovery', async () => {
  await using people = await fakePeople();
  const { client, recoveryCode } = await people.register();
  const created = await client.createField({
    type: 'date',
    label: 'Born',
    slug: 'born',
    value: '1990-02-28',
  });
  assert.ok(created.value instanceof PlainDate);
  const again = await PersonClient.login({ ...people.access, password: PASSWORD });
  assert.equal((await again.fields())[0]?.text, '1990-02-28');
  const { client: recovered, recoveryCode: next } = await PersonClient.recover({
    ...people.access,
    recoveryCode,
    newPassword: 'another one 77',
  });
  assert.equal((await recovered.fields())[0]?.text, '1990-02-28');
  assert.notEqual(next, recoveryCode);
  await assert.rejects(PersonClient.login({ ...people.access, password: PASSWORD }), AuthenticationError);
  const sent = people.platform.requests.map(({ text }) => text).join();
  for (const secret of [PASSWORD, recoveryCode, next, '1990-02-28', 'another one 77'])
    assert.ok(!sent.includes(secret));
});

test('the person client refuses a mistyped recovery code without a request', async () => {
  await using people = await fakePeople();
  const input = { ...people.access, recoveryCode: 'AAAA-BBBB', newPassword: 'another one 77' };
  await assert.rejects(PersonClient.recover(input), InvalidRequestError);
  assert.equal(people.platform.requests.length, 0);
});

test('when its token expires, the person client signs in again once for all calls', async () => {
  await using people = await fakePeople();
  const { client } = await people.register();
  people.endTokens();
  await Promise.all([client.fields(), client.fields(), client.fields()]);
  assert.equal(people.platform.count('/api/person/login'), 1);
});

test('after a change of password the new one signs in and the old one does not, and a wrong current password is refused', async () => {
  await using people = await fakePeople();
  const { client } = await people.register();
  await assert.rejects(
    client.security.changePassword({ password: 'wrong' }, 'another one 77'),
    AuthenticationError,
  );
  await client.security.changePassword({ password: PASSWORD }, 'another one 77');
  people.endTokens();
  assert.deepEqual(await client.fields(), [], 'the new secret is the one that signs in again');
  await assert.rejects(PersonClient.login({ ...people.access, password: PASSWORD }), AuthenticationError);
});

test('the person client refuses a value that is not valid for its type before it sends anything', async () => {
  await using people = await fakePeople();
  const { client } = await people.register();
  const input = { type: 'date', label: 'Born', slug: 'born', value: '1990-02-30' };
  await assert.rejects(client.createField(input), (error) => {
    assert.ok(error instanceof ValueError);
    assert.equal(error.details.code, 'date_invalid');
    assert.ok(!error.message.includes('1990'));
    return true;
  });
  assert.equal(people.platform.count('/api/person/fields'), 0);
});

test('an edit sends one sealed copy for each slot, and is repeated with copies for slots that were added in the meantime', async () => {
  await using people = await fakePeople();
  const { client } = await people.register();
  await client.createField({ type: 'email', label: 'Mail', slug: 'mail', value: 'old@example.org' });
  const shop = await fakeServiceKey();
  const slot = (connection_id: string): LiveSlot => ({
    connection_id,
    request_field_id: 'r1',
    slug: 'email',
    service_id: 's',
    service_public_key: shop.card.public_key,
    withheld: false,
  });
  const request_fields = [{ id: 'r1', slug: 'email', type: 'email', one_time: false }];
  people.platform.route('GET /api/person/lookup/ACME/SHOP', () => ({
    body: { company: {}, service: shop.card, request_fields, shared: [] },
  }));
  people.platform.route('POST /api/person/connections', () => ({ status: 201, body: {} }));
  await client.connect('ACME', 'SHOP', { email: { field: 'mail' } });
  const requests: UpdatePersonFieldRequest[] = [];
  people.platform.route('GET /api/person/fields/f1/slots', () => ({ body: { slots: [slot('c1')] } }));
  people.platform.route('PUT /api/person/fields/f1', ({ json }) => {
    const request = json<UpdatePersonFieldRequest>();
    requests.push(request);
    if (request.copies?.length === 1) {
      return refusal(409, 'contact_data.copies_missing', { details: { missing: [slot('c2')] } });
    }
    return { body: { id: 'f1', type: 'email', label: 'Mail', slug: 'mail', value: request.value } };
  });
  const edited = await client.editField('f1', 'new@example.org');
  assert.equal(edited.value, 'new@example.org');
  const copies = requests[1]?.copies ?? [];
  assert.deepEqual(
    copies.map((copy) => copy.connection_id),
    ['c1', 'c2'],
  );
  for (const copy of copies) assert.equal(await shop.open(copy.value), 'new@example.org');
});

test('when a field changes while its value is sent, the client sends the new value', async () => {
  await using people = await fakePeople();
  const { client } = await people.register();
  await client.createField({ type: 'email', label: 'Mail', slug: 'mail', value: 'a@example.org' });
  const shop = await fakeServiceKey();
  const request_fields = [{ id: 'r1', slug: 'email', type: 'email', one_time: false }];
  const lookup = { company: {}, service: shop.card, request_fields, shared: [] };
  people.platform.route('GET /api/person/lookup/ACME/SHOP', () => ({ body: lookup }));
  const values: (string | undefined)[] = [];
  people.platform.route('POST /api/person/connections', ({ json }) => {
    values.push(json<ConnectRequest>().decisions[0]?.value as string);
    return values.length < 3 ? refusal(409, 'contact_data.field_changed') : { status: 201, body: {} };
  });
  await client.connect('ACME', 'SHOP', { email: { field: 'mail' } });
  assert.equal(new Set(values).size, 3);
  for (const value of values) assert.equal(await shop.open(value), 'a@example.org');
  people.platform.route('POST /api/person/connections', () => refusal(409, 'contact_data.field_changed'));
  await assert.rejects(client.connect('ACME', 'SHOP', { email: { field: 'mail' } }), ConflictError);
});

test('a person who connects seals each answer to the service: a live field, a snapshot or a typed value', async () => {
  await using people = await fakePeople();
  const { client } = await people.register();
  await client.createField({ type: 'email', label: 'Mail', slug: 'mail', value: 'a@example.org' });
  await client.createField({ type: 'phone', label: 'Phone', slug: 'mobile', value: '+41791234567' });
  const shop = await fakeServiceKey();
  const row = (id: string, slug: string, type: string, one_time = false) => ({ id, slug, type, one_time });
  const request_fields = [
    row('r1', 'email', 'email'),
    row('r2', 'phone', 'phone'),
    row('r3', 'born', 'date'),
    row('r4', 'once', 'email', true),
  ];
  const lookup = { company: {}, service: shop.card, request_fields, shared: [] };
  people.platform.route('GET /api/person/lookup/ACME/SHOP', () => ({ body: lookup }));
  people.platform.route('POST /api/person/connections', ({ json }) => ({
    status: 201,
    body: { asked: json() },
  }));
  await client.connect('ACME', 'SHOP', {
    email: { field: 'mail' },
    phone: { field: 'f2', oneTime: true },
    born: { value: '1990-02-28' },
    once: { field: 'mail' },
  });
  const sent = people.platform.requests
    .findLast(({ method, path }) => `${method} ${path}` === 'POST /api/person/connections')!
    .json<ConnectRequest>();
  const told = await Promise.all(
    sent.decisions.map(async ({ request_field_id, kind, field_id, value }) => [
      request_field_id,
      kind,
      field_id,
      await shop.open(value),
    ]),
  );
  assert.deepEqual(told, [
    ['r1', 'live', 'f1', 'a@example.org'],
    ['r2', 'one_time', 'f2', '+41791234567'],
    ['r3', 'one_time', undefined, '1990-02-28'],
    ['r4', 'one_time', 'f1', 'a@example.org'],
  ]);
  await assert.rejects(client.connect('ACME', 'SHOP', { shoe: { value: '42' } }), InvalidRequestError);
  await assert.rejects(client.connect('ACME', 'SHOP', { email: { field: 'nope' } }), InvalidRequestError);
  await assert.rejects(client.connect('ACME', 'SHOP', { born: { value: 'soon' } }), ValueError);
});

test('the client seals nothing to a service key whose fingerprint does not match', async () => {
  await using people = await fakePeople();
  const { client } = await people.register();
  const [shop, thief] = await Promise.all([fakeServiceKey(), fakeServiceKey()]);
  const service = { ...shop.card, public_key: thief.card.public_key };
  const lookup = { company: {}, service, request_fields: [{ id: 'r', slug: 'a', type: 'text' }], shared: [] };
  people.platform.route('GET /api/person/lookup/ACME/SHOP', () => ({ body: lookup }));
  await assert.rejects(client.connect('ACME', 'SHOP', { a: { value: 'x' } }), TransportError);
  assert.equal(people.platform.count('/api/person/connections'), 0);
});

test('a changed service key is used only after it was confirmed; until then live slots are withheld', async () => {
  await using people = await fakePeople();
  const { client } = await people.register();
  await client.createField({ type: 'email', label: 'Mail', slug: 'mail', value: 'a@example.org' });
  const [shop, changed] = await Promise.all([fakeServiceKey(), fakeServiceKey()]);
  let card = shop.card;
  const request_fields = [{ id: 'r1', slug: 'email', type: 'email', one_time: false }];
  const { platform } = people;
  platform.route('GET /api/person/lookup/ACME/SHOP', () => ({
    body: { company: {}, service: card, request_fields, shared: [] },
  }));
  platform.route('POST /api/person/connections', () => ({ status: 201, body: {} }));
  platform.route('GET /api/person/connections', () => ({ body: { connections: [{ service: card }] } }));
  platform.route('GET /api/person/fields/f1/slots', () => {
    const slot = { connection_id: 'c1', request_field_id: 'r1', slug: 'email', service_id: card.id };
    return { body: { slots: [{ ...slot, service_public_key: card.public_key }] } };
  });
  const copies: unknown[] = [];
  platform.route('PUT /api/person/fields/f1', ({ json }) => {
    const request = json<UpdatePersonFieldRequest>();
    copies.push(request.copies?.[0]);
    return { body: { id: 'f1', type: 'email', label: 'Mail', slug: 'mail', value: request.value } };
  });
  await client.connect('ACME', 'SHOP', { email: { field: 'mail' } });
  assert.deepEqual(await client.keys.withheldSlots('f1'), []);

  card = changed.card;
  const device = await PersonClient.login({ ...people.access, password: PASSWORD });
  const connected = platform.count('/api/person/connections');
  await assert.rejects(device.connect('ACME', 'SHOP', { email: { field: 'mail' } }), (error) => {
    assert.ok(error instanceof UnconfirmedKeyError);
    assert.equal(error.errorKey, 'sdk.service_key_changed');
    assert.equal(error.details.fingerprint, changed.card.public_key_sha256);
    assert.equal(error.details.confirmed, shop.card.public_key_sha256);
    return true;
  });
  assert.equal(platform.count('/api/person/connections'), connected);
  await device.editField('f1', 'b@example.org');
  assert.deepEqual(copies.pop(), { connection_id: 'c1', request_field_id: 'r1', withheld: true });
  const [withheld] = await device.keys.withheldSlots('f1');
  assert.deepEqual([withheld?.slug, withheld?.fingerprint], ['email', changed.card.public_key_sha256]);

  await assert.rejects(device.keys.confirm('s', '0'.repeat(64)), { errorKey: 'sdk.key_unknown' });
  await assert.rejects(device.keys.confirm('t', withheld?.words ?? ''), { errorKey: 'sdk.key_unknown' });
  const [unconfirmed] = await device.keys.unconfirmed();
  assert.deepEqual([unconfirmed?.id, unconfirmed?.confirmed], ['s', shop.card.public_key_sha256]);
  await device.keys.confirm('s', withheld?.words ?? '');
  assert.deepEqual(await device.keys.unconfirmed(), []);
  await device.editField('f1', 'c@example.org');
  assert.equal(await changed.open((copies.pop() as { value: string }).value), 'c@example.org');
  assert.deepEqual(await device.keys.withheldSlots('f1'), []);
});

test('nothing is sealed for a service whose key is not the one in its link', async () => {
  await using people = await fakePeople();
  const { client } = await people.register();
  const [shop, thief] = await Promise.all([fakeServiceKey(), fakeServiceKey()]);
  const link = readConnectLink(
    connectLink(people.access.baseUrl, {
      companyCode: 'ACME',
      serviceCode: 'SHOP',
      fingerprint: shop.card.public_key_sha256,
    }),
  );
  let { card } = thief;
  const request_fields = [{ id: 'r', slug: 'a', type: 'text' }];
  const { platform } = people;
  platform.route('GET /api/person/lookup/ACME/SHOP', () => ({
    body: { company: {}, service: card, request_fields, shared: [] },
  }));
  platform.route('POST /api/person/connections', () => ({ status: 201, body: {} }));
  const answer = { a: { value: 'x' } };
  const { words } = await client.connectByLink(link, answer).then(
    () => assert.fail('the key of the platform was used'),
    (error: UnconfirmedKeyError) => {
      assert.equal(error.errorKey, 'sdk.link_key_differs');
      return error.details;
    },
  );
  assert.equal(words, await fingerprintWords(card.public_key_sha256));
  assert.equal(platform.count('/api/person/connections'), 0);
  card = shop.card;
  await client.connectByLink(link, answer);
  assert.equal(platform.count('/api/person/connections'), 1);
});

test('no value goes to slots that a platform makes up', async () => {
  await using people = await fakePeople();
  const { client } = await people.register();
  await client.createField({ type: 'email', label: 'Mail', slug: 'mail', value: 'a@example.org' });
  const [shop, thief] = await Promise.all([fakeServiceKey(), fakeServiceKey()]);
  const { platform } = people;
  const request_fields = [{ id: 'r1', slug: 'email', type: 'email', one_time: false }];
  platform.route('GET /api/person/lookup/ACME/SHOP', () => ({
    body: { company: {}, service: shop.card, request_fields, shared: [] },
  }));
  platform.route('POST /api/person/connections', () => ({ status: 201, body: {} }));
  await client.connect('ACME', 'SHOP', { email: { field: 'mail' } });
  const slot = (connection_id: string, service_id: string, { card }: typeof shop) => ({
    connection_id,
    request_field_id: 'r1',
    slug: 'email',
    service_id,
    service_public_key: card.public_key,
  });
  // The second has the service's name and another key, the third is a service that the person never chose.
  const slots = [slot('c1', 's', shop), slot('c2', 's', thief), slot('c3', 't', thief)];
  platform.route('GET /api/person/fields/f1/slots', () => ({ body: { slots } }));
  let sent: UpdatePersonFieldRequest['copies'] = [];
  platform.route('PUT /api/person/fields/f1', ({ json }) => {
    const { copies, value } = json<UpdatePersonFieldRequest>();
    sent = copies;
    return { body: { id: 'f1', type: 'email', label: 'Mail', slug: 'mail', value } };
  });
  await client.editField('f1', 'b@example.org');
  assert.deepEqual(
    sent?.map(({ connection_id, withheld = false }) => [connection_id, withheld]),
    [
      ['c1', false],
      ['c2', true],
      ['c3', true],
    ],
  );
  const withheld = await client.keys.withheldSlots('f1');
  assert.deepEqual(
    withheld.map(({ connectionId }) => connectionId),
    ['c2', 'c3'],
  );
});

test('a platform that names another public key for the person gets nothing', async () => {
  await using people = await fakePeople();
  const { client } = await people.register();
  const thief = (await fakeServiceKey()).card.public_key;
  const { platform } = people;
  platform.route('GET /api/person/me', () => ({ body: { ...client.person, public_key: thief } }));
  await assert.rejects(client.me(), { errorKey: 'sdk.own_key_mismatch' });
  people.setPublicKey(thief);
  await assert.rejects(PersonClient.login({ ...people.access, password: PASSWORD }), {
    errorKey: 'sdk.own_key_mismatch',
  });
  const created = await client.createField({ type: 'text', label: 'A', slug: 'a', value: 'x' });
  assert.equal(created.text, 'x', 'the key of the sign-in is still the one that is used');
});

test('an older list of confirmed keys is refused', async () => {
  await using people = await fakePeople();
  const { client } = await people.register();
  const [first, changed] = await Promise.all([fakeServiceKey(), fakeServiceKey()]);
  const { platform } = people;
  let card = first.card;
  const request_fields = [{ id: 'r', slug: 'a', type: 'text' }];
  platform.route('GET /api/person/lookup/ACME/SHOP', () => ({
    body: { company: {}, service: card, request_fields, shared: [] },
  }));
  platform.route('POST /api/person/connections', () => ({ status: 201, body: {} }));
  platform.route('GET /api/person/connections', () => ({ body: { connections: [{ service: card }] } }));
  const connect = (device: PersonClient) => device.connect('ACME', 'SHOP', { a: { value: 'x' } });
  await connect(client);
  const older = people.pins();
  card = changed.card;
  await client.keys.confirm('s', card.public_key_sha256);
  const { pinsCounter: lastPinsCounter } = client;
  assert.equal(lastPinsCounter, 4);
  // The platform goes back to the former key, whose private half it has, with the list of that time.
  card = first.card;
  for (const list of [older, { counter: 0, iv: null, data: null }]) {
    people.setPins(list);
    const device = await PersonClient.login({ ...people.access, password: PASSWORD, lastPinsCounter });
    await assert.rejects(connect(device), { errorKey: 'sdk.pins_outdated' });
  }
  people.setPins({ ...older, counter: 5 });
  const device = await PersonClient.login({ ...people.access, password: PASSWORD, lastPinsCounter });
  await assert.rejects(connect(device), { errorKey: 'sdk.pins_tampered' });
});

test('a changed key of a sign-in app gets nothing before it was compared', async () => {
  await using people = await fakePeople();
  const { client } = await people.register();
  const [site, changed] = await Promise.all([fakeServiceKey(), fakeServiceKey()]);
  const app = { client_id: 'app_1', public_key: site.card.public_key };
  assert.equal(await site.open(await client.keys.sealToApp(app, 'Anna')), 'Anna');
  const swapped = { ...app, public_key: changed.card.public_key };
  const device = await PersonClient.login({ ...people.access, password: PASSWORD });
  let words = '';
  await assert.rejects(device.keys.sealToApp(swapped, 'Anna'), (error) => {
    assert.ok(error instanceof UnconfirmedKeyError);
    assert.equal(error.errorKey, 'sdk.app_key_changed');
    words = String(error.details.words);
    return true;
  });
  await device.keys.confirmApp(swapped, words);
  assert.equal(await changed.open(await device.keys.sealToApp(swapped, 'Anna')), 'Anna');
});

test('two devices that remember keys at once keep the keys of both', async () => {
  await using people = await fakePeople();
  const { client } = await people.register();
  await client.createField({ type: 'email', label: 'Mail', slug: 'mail', value: 'a@example.org' });
  const other = await PersonClient.login({ ...people.access, password: PASSWORD });
  const shops = await Promise.all(['s1', 's2'].map(async (id) => ({ ...(await fakeServiceKey()).card, id })));
  people.platform.route('POST /api/person/connections', ({ json }) => ({
    status: 201,
    body: { connection_id: `to ${json<ConnectRequest>().service_code}` },
  }));
  for (const service of shops) {
    const body = { company: {}, service, request_fields: [{ id: 'r', slug: 'a', type: 'text' }], shared: [] };
    people.platform.route(`GET /api/person/lookup/ACME/${service.id}`, () => ({ body }));
  }
  await other.connect('ACME', 's1', {});
  const answer = { a: { value: 'x' } };
  await client.connect('ACME', 's1', answer);
  await other.connect('ACME', 's2', answer);
  const thief = (await fakeServiceKey()).card;
  for (const { id } of shops) {
    const service = { ...thief, id };
    const body = { company: {}, service, request_fields: [{ id: 'r', slug: 'a', type: 'text' }], shared: [] };
    people.platform.route(`GET /api/person/lookup/ACME/${id}`, () => ({ body }));
  }
  const fresh = await PersonClient.login({ ...people.access, password: PASSWORD });
  for (const { id } of shops) {
    await assert.rejects(fresh.connect('ACME', id, answer), { errorKey: 'sdk.service_key_changed' });
  }
});

test('the person client sends sealed fields as wrappers in JSON text', async () => {
  await using people = await fakePeople();
  const { client } = await people.register();
  await client.createField({
    type: 'address',
    label: 'Home',
    slug: 'home',
    value: { street: 'Main', city: 'Bern' },
  });
  const { value } = people.platform.requests.at(-1)!.json<CreatePersonFieldRequest>();
  assert.equal(typeof value, 'string');
  assert.equal(JSON.parse(value as string)._enc, 1);
  const [field] = await client.fields();
  assert.deepEqual({ ...(field?.value as object) }, { street: 'Main', city: 'Bern' });
});

test('a file is sealed to the person and to each service that follows it, and opens again', async () => {
  await using people = await fakePeople();
  const { client } = await people.register();
  await client.createField({ type: 'photo', label: 'Photo', slug: 'photo', private: true });
  const sent = <T>(address: string): T | undefined =>
    people.platform.requests.findLast(({ method, path }) => `${method} ${path}` === address)?.json<T>();
  assert.equal(sent<CreatePersonFieldRequest>('POST /api/person/fields')?.value, undefined);
  const shop = await fakeServiceKey();
  const request_fields = [{ id: 'r1', slug: 'portrait', type: 'photo', one_time: false }];
  people.platform.route('GET /api/person/lookup/ACME/SHOP', () => ({
    body: { company: {}, service: shop.card, request_fields, shared: [] },
  }));
  const uploads: string[] = [];
  people.platform.route('POST /api/person/files', ({ json }) => {
    uploads.push(json<UploadFileRequest>().value);
    return { status: 201, body: { upload_id: `u${uploads.length}` } };
  });
  const slot = { connection_id: 'c1', request_field_id: 'r1', slug: 'portrait' };
  const live = { ...slot, service_id: 's', service_public_key: shop.card.public_key, withheld: false };
  let slots: LiveSlot[] = [];
  people.platform.route('GET /api/person/fields/f1/slots', () => ({ body: { slots } }));
  let saved: FieldFileRequest = {};
  people.platform.route('PUT /api/person/fields/f1/file', ({ json }) => {
    saved = json<FieldFileRequest>();
    return { body: { id: 'f1' } };
  });
  people.platform.route('GET /api/person/fields/f1/file', () => ({
    body: { encrypted: true, value: saved.value },
  }));
  const bytes = Uint8Array.of(1, 2, 3);
  const envelope = buildPhotoEnvelope({ full: { bytes, mimeType: 'image/png' } });
  await client.files.save('f1', envelope);
  assert.deepEqual(saved.copies, []);
  const opened = await client.files.open('f1');
  assert.deepEqual(
    opened.files.map(({ label, mimeType, bytes }) => [label, mimeType, ...bytes]),
    [['full', 'image/png', 1, 2, 3]],
  );

  people.platform.route('POST /api/person/connections', () => ({ status: 201, body: {} }));
  await client.connect('ACME', 'SHOP', { portrait: { field: 'photo' } });
  const [decision] = sent<ConnectRequest>('POST /api/person/connections')?.decisions ?? [];
  assert.deepEqual([decision?.field_id, decision?.value, decision?.upload_id], ['f1', undefined, 'u1']);
  assert.equal(await shop.open(uploads[0]), envelope);

  slots = [live];
  const other = buildPhotoEnvelope({ full: { bytes: Uint8Array.of(9), mimeType: 'image/png' } });
  await client.files.save('f1', other);
  assert.deepEqual(saved.copies, [{ connection_id: 'c1', request_field_id: 'r1', upload_id: 'u2' }]);
  assert.equal(await shop.open(uploads[1]), other);
  await client.files.save('f1', other, { plaintext: true });
  assert.deepEqual([saved.file, saved.value, saved.copies], [other, undefined, []]);
});
