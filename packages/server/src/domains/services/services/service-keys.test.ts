import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  createServiceKey,
  decryptPrivateKey,
  importPrivateKey,
  openText,
  sealValue,
  serializeWrapper,
} from '@symbolon/crypto';
import {
  connect,
  createAccountClient,
  createField,
  createService,
  dataToken,
  registerCompany,
  registerPerson,
  sealed,
  type TestCompany,
} from '@symbolon/testkit/actors/actors';
import { addDelegate, enrolSecondFactor, readProven } from '@symbolon/testkit/actors/portal-logins';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refused } from '@symbolon/testkit/evidence/refusals';
import { onEachEngine } from '@symbolon/testkit/platform/platform';

type ServiceKey = Awaited<ReturnType<typeof createServiceKey>>;

onEachEngine('replacing the key of a service', (platform) => {
  let company: TestCompany;
  let key: ServiceKey;
  let another: ServiceKey;
  before(async () => {
    company = await registerCompany(platform());
    [key, another] = await Promise.all([createServiceKey(), createServiceKey()]);
  });
  const bodyOf = (made: ServiceKey) => ({
    public_key: made.publicKey,
    encrypted_private_key: made.encryptedPrivateKey,
    private_key_pem: made.privateKeyPem,
  });
  const replace = (serviceId: string, body: object, token = company.token) =>
    platform().call('PUT', `/api/services/${serviceId}/key`, { token, body });
  const read = (path: string) => platform().must('GET', path, { token: company.token });
  const readKeys = async (path: string) => (await readProven(platform(), company, path)).body;

  test('shows the new key everywhere, keeps the former one, and says so in the log', async () => {
    const service = await createService(platform(), company);
    const before = await readKeys(`/api/services/${service.id}/private-key`);
    const { public_key } = await read('/api/account/recovery-key');
    platform().clock.advance(1000);
    const copy = await sealValue(key.passphrase, public_key);
    const answer = await replace(service.id, { ...bodyOf(key), passphrase_recovery_copy: copy });
    assert.equal(answer.status, 200, answer.text);
    proves('route:PUT /api/services/{id}/key');
    assert.equal(answer.body.public_key, key.publicKey);
    assert.notEqual(answer.body.public_key_sha256, before.public_key_sha256);
    assert.deepEqual(await read(`/api/services/${service.id}`), answer.body);
    const shown = await read(`/api/keys/${company.code}/${service.code}`);
    assert.equal(shown.public_key, key.publicKey);
    const wrapped = await readKeys(`/api/services/${service.id}/private-key`);
    await decryptPrivateKey(wrapped.encrypted_private_key, key.passphrase);
    const pem = await readProven(platform(), company, `/api/services/${service.id}/private-key.pem`);
    assert.equal(pem.text, key.privateKeyPem);
    const { items } = await read('/api/account/recovery-copies');
    assert.ok(
      items.some(
        (item: { service_id: string; kind: string }) =>
          item.service_id === service.id && item.kind === 'service_passphrase',
      ),
    );
    proves('route:GET /api/services/{id}/former-keys');
    assert.deepEqual(await readKeys(`/api/services/${service.id}/former-keys`), {
      keys: [
        {
          public_key: before.public_key,
          public_key_sha256: before.public_key_sha256,
          encrypted_private_key: before.encrypted_private_key,
          private_key_pem: null,
          replaced_at: new Date(platform().clock.now()).toISOString(),
        },
      ],
    });
    const logs = await platform().must('GET', '/api/company-data/logs', {
      token: await dataToken(platform(), service),
    });
    const entry = logs.items.find((item: { message: string }) => item.message === 'Service key replaced');
    const details = {
      public_key_sha256: answer.body.public_key_sha256,
      former_public_key_sha256: before.public_key_sha256,
    };
    assert.deepEqual(entry.metadata, details);
  });

  test('refuses the key it has, and any it had', async () => {
    const service = await createService(platform(), company);
    const first = await readKeys(`/api/services/${service.id}/private-key`);
    const { public_key, encrypted_private_key } = first;
    const path = `/api/services/${service.id}/key`;
    const refuse = (body: object) =>
      refused(platform(), [409, 'services.key_reused'], 'PUT', path, { token: company.token, body });
    await refuse({ public_key, encrypted_private_key });
    assert.equal((await replace(service.id, bodyOf(key))).status, 200);
    await refuse(bodyOf(key));
    await refuse({ public_key, encrypted_private_key });
    platform().clock.advance(1000);
    assert.equal((await replace(service.id, bodyOf(another))).status, 200);
    const { keys } = await readKeys(`/api/services/${service.id}/former-keys`);
    assert.deepEqual(
      keys.map((former: { public_key: string }) => former.public_key),
      [key.publicKey, public_key],
      'the latest first',
    );
  });

  test('takes only what the recipe makes', async () => {
    const service = await createService(platform(), company);
    const path = `/api/services/${service.id}/key`;
    const good = bodyOf(key);
    proves('error:services.encrypted_private_key_invalid', 'error:services.private_key_pem_invalid');
    for (const [body, expected] of [
      [{ ...good, public_key: 'AAAA' }, 'services.public_key_invalid'],
      [
        { ...good, encrypted_private_key: { ...key.encryptedPrivateKey, iter: 1 } },
        'services.encrypted_private_key_invalid',
      ],
      [{ ...good, private_key_pem: 'x' }, 'services.private_key_pem_invalid'],
      [{ ...good, passphrase_recovery_copy: 'x' }, 'contact_data.wrapper_invalid'],
      [{ public_key: key.publicKey }, 'request.invalid'],
      [{ ...good, name: 'x' }, 'request.invalid'],
    ] as const) {
      await refused(platform(), [400, expected], 'PUT', path, { token: company.token, body });
    }
  });

  test('services of another company are not found', async () => {
    const service = await createService(platform(), company);
    const { token } = await registerCompany(platform());
    await refused(platform(), [404, 'services.not_found'], 'PUT', `/api/services/${service.id}/key`, {
      token,
      body: bodyOf(key),
    });
    const former = await platform().call('GET', `/api/services/${service.id}/former-keys`, { token });
    assert.deepEqual([former.status, former.body.error_key], [404, 'services.not_found']);
  });

  test('stored values stay as they are; a device learns the new key and seals its next edit to it', async () => {
    const service = await createService(platform(), company, [{ slug: 'note', label: 'Note', type: 'text' }]);
    const person = await registerPerson(platform());
    const field = await createField(platform(), person, { type: 'text', slug: 'note', value: 'one' });
    const id = await connect(platform(), person, service, { note: { field, value: 'one' } });
    const data = await dataToken(platform(), service);
    const value = async () =>
      (await platform().must('GET', `/api/company-data/connections/${id}`, { token: data })).values.note
        .value;
    await replace(service.id, bodyOf(another));
    assert.equal(await service.open(await value()), 'one', 'with the former key');
    const { slots } = await platform().must('GET', `/api/person/fields/${field}/slots`, {
      token: person.token,
    });
    assert.equal(slots[0].service_public_key, another.publicKey);
    await platform().must('PUT', `/api/person/fields/${field}`, {
      token: person.token,
      body: {
        value: await sealed('two'),
        copies: [
          {
            connection_id: id,
            request_field_id: service.rows.note,
            value: serializeWrapper(await sealValue('two', another.publicKey)),
          },
        ],
      },
    });
    const opened = await decryptPrivateKey(another.encryptedPrivateKey, another.passphrase);
    assert.equal(await openText(await value(), await importPrivateKey(opened)), 'two');
    await assert.rejects(service.open(await value()));
  });

  test('the former keys go with the service', async () => {
    const service = await createService(platform(), company);
    await replace(service.id, bodyOf(key));
    await platform().must('DELETE', `/api/services/${service.id}`, { token: company.token });
    const rows = await platform()
      .context.database.reader.selectFrom('service_former_keys')
      .select('service_id')
      .where('service_id', '=', service.id)
      .execute();
    assert.deepEqual(rows, []);
  });
});

onEachEngine('reading the private keys of a service', (platform) => {
  const PROOFS = '/api/account/proofs';
  const prove = (login: { token: string; loginSecret: string }, act: string, more: object = {}) =>
    platform().call('POST', PROOFS, {
      token: login.token,
      body: { login_secret: login.loginSecret, for: act, ...more },
    });
  const get = (token: string, path: string, proof?: string) =>
    platform().call('GET', path, {
      token,
      headers: proof === undefined ? {} : { 'x-platform-proof': proof },
    });
  const asked = ({ status, body }: { status: number; body: { error_key?: string } }) => [
    status,
    body.error_key,
  ];

  test('takes a proof of presence for this very request, once', async () => {
    const company = await registerCompany(platform());
    const [service, other] = await Promise.all([
      createService(platform(), company),
      createService(platform(), company),
    ]);
    const path = `/api/services/${service.id}/private-key`;
    const required = [403, 'auth.proof_required'];
    assert.deepEqual(asked(await get(company.token, path)), required);
    assert.deepEqual(asked(await get(company.token, path, 'x')), required);
    const made = await prove(company, `GET ${path}`);
    assert.equal(made.status, 201, made.text);
    assert.equal(made.headers.get('cache-control'), 'no-store');
    const { proof } = made.body;
    for (const another of [
      `/api/services/${service.id}/former-keys`,
      `/api/services/${other.id}/private-key`,
    ])
      assert.deepEqual(asked(await get(company.token, another, proof)), required, another);
    const signedIn = await platform().must('POST', '/api/portal/sign-in', {
      body: { email: company.email, login_secret: company.loginSecret },
    });
    assert.deepEqual(asked(await get(signedIn.token, path, proof)), required, 'of another session');
    proves('route:POST /api/account/proofs');
    const read = await get(company.token, path, proof);
    assert.equal(read.status, 200, read.text);
    assert.equal(read.headers.get('cache-control'), 'no-store');
    assert.deepEqual(asked(await get(company.token, path, proof)), required, 'twice');
    proves('error:auth.proof_required', 'limit:act-proof');
  });

  test('a proof is good for two minutes', async () => {
    const company = await registerCompany(platform());
    const service = await createService(platform(), company);
    const path = `/api/services/${service.id}/private-key`;
    const { proof } = (await prove(company, `GET ${path}`)).body;
    platform().clock.advance(2 * 60_000);
    assert.deepEqual(asked(await get(company.token, path, proof)), [403, 'auth.proof_required']);
  });

  test('two reads with one proof at once: one succeeds', async () => {
    const company = await registerCompany(platform());
    const service = await createService(platform(), company);
    const path = `/api/services/${service.id}/private-key`;
    const { proof } = (await prove(company, `GET ${path}`)).body;
    const answers = await Promise.all([1, 2, 3].map(() => get(company.token, path, proof)));
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 403, 403]);
  });

  test('a proof takes the login secret and the code, and wrong ones count as failed sign-ins', async () => {
    const company = await registerCompany(platform());
    const { code } = await enrolSecondFactor(platform(), company);
    platform().clock.advance(30_000);
    const asksCode = await prove(company, 'GET /api/services/x/private-key');
    assert.equal(asksCode.body.error_key, 'auth.two_factor_required');
    assert.equal((await prove(company, 'GET /api/services/x/private-key', { code: code() })).status, 201);
    const guess = { ...company, loginSecret: Buffer.alloc(32).toString('base64') };
    for (let tries = 0; tries < 10; tries++) await prove(guess, 'GET /');
    assert.equal((await prove(company, 'GET /')).body.error_key, 'auth.throttled');
  });

  test('is for developers and above, and for account clients without a proof; all of it is recorded', async () => {
    const company = await registerCompany(platform());
    const service = await createService(platform(), company);
    const path = `/api/services/${service.id}/private-key`;
    for (const role of ['viewer', 'support'] as const) {
      const login = await addDelegate(platform(), company, role);
      const refusal = await readProven(platform(), login, path);
      assert.deepEqual(asked(refusal), [403, 'auth.role_forbidden']);
    }
    const developer = await addDelegate(platform(), company, 'developer');
    assert.equal((await readProven(platform(), developer, path)).status, 200);
    const client = await createAccountClient(platform(), company, ['service_management']);
    assert.equal((await get(client.token, path)).status, 200);
    assert.equal((await get(client.token, `/api/services/${service.id}/former-keys`)).status, 200);
    const { items } = await platform().must('GET', '/api/account/audit-log', { token: company.token });
    const entries = items
      .filter((entry: { action: string }) => entry.action.startsWith('service_key.'))
      .map((entry: { action: string; actor: { id: string }; details: object }) => [
        entry.action,
        entry.actor.id,
        entry.details,
      ]);
    assert.deepEqual(entries, [
      ['service_key.former_opened', client.id, { request: `GET /api/services/${service.id}/former-keys` }],
      ['service_key.opened', client.id, { request: `GET ${path}` }],
      ['service_key.opened', developer.id, { request: `GET ${path}` }],
    ]);
  });
});
