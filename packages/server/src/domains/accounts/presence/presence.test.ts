import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { derivePasskeyWrapKey, passkeyPrfInput, unwrapPrivateKey, wrapPrivateKey } from '@symbolon/crypto';
import type { PresenceProof } from '@symbolon/protocol';
import { registerCompany, registerPerson, type TestPerson } from '@symbolon/testkit/actors/actors';
import { SoftwareAuthenticator } from '@symbolon/testkit/actors/authenticator';
import { addPasskey, passkeyProof } from '@symbolon/testkit/actors/passkeys';
import {
  enrolSecondFactor,
  lastMail,
  mailedCode,
  mailedProof,
  WRONG_SECRET,
} from '@symbolon/testkit/actors/portal-logins';
import { fromBase32, totpCode } from '@symbolon/testkit/actors/totp';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { PlatformError } from '../../../core/errors.ts';

const ACT = 'approve challenge 1';

onPlatform('a proof of presence', (platform) => {
  const refOf = (person: TestPerson) => ({ kind: 'person', personId: person.id }) as const;
  const optionsFor = (person: TestPerson, act = ACT) =>
    platform().must('POST', '/api/person/presence', { token: person.token, body: { act } });
  const check = (person: TestPerson, proof: PresenceProof, { act = ACT, strong = false } = {}) =>
    platform().context.presence.check(refOf(person), act, proof, '127.0.0.1', { strong });
  /** The error key of a proof that is refused. */
  const refusal = async (...given: Parameters<typeof check>): Promise<string> => {
    const error = await check(...given).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof PlatformError, `not refused: ${JSON.stringify(error)}`);
    return error.key;
  };
  const withPasskey = async (counts = true) => {
    const person = await registerPerson(platform());
    const authenticator = SoftwareAuthenticator.for(platform(), { counts });
    return { person, ...(await addPasskey(platform(), person, { authenticator })) };
  };
  const password = (person: TestPerson, more: object = {}) =>
    ({ kind: 'password', login_secret: person.loginSecret, ...more }) as const;

  test('by passkey is good for its act, once', async () => {
    const { person, authenticator } = await withPasskey();
    const options = await optionsFor(person);
    assert.deepEqual(
      [options.rp_id, options.methods, options.credential_ids],
      ['localhost', ['passkey', 'password'], [authenticator.credentials[0]?.id]],
    );
    const proof = authenticator.proof(options);
    assert.deepEqual(await check(person, proof, { strong: true }), { method: 'passkey', twoFactor: true });
    assert.equal(await refusal(person, proof), 'auth.passkey_invalid');
    // Nor with a new signature over the same nonce.
    assert.equal(await refusal(person, authenticator.proof(options)), 'auth.passkey_invalid');
  });

  test('is not good for another act, and not after 5 minutes', async () => {
    const { person, authenticator } = await withPasskey();
    const other = authenticator.proof(await optionsFor(person, 'deny challenge 1'));
    assert.equal(await refusal(person, other), 'auth.passkey_invalid');
    const late = await optionsFor(person);
    platform().clock.advance(5 * 60_000);
    assert.equal(await refusal(person, authenticator.proof(late)), 'auth.passkey_invalid');
    proves('limit:presenceNonceMs');
  });

  test('is not good with the nonce or the passkey of another account', async () => {
    const [ada, eve] = [await withPasskey(), await withPasskey()];
    const [hers, theirs] = [await optionsFor(ada.person), await optionsFor(eve.person)];
    assert.equal(await refusal(ada.person, ada.authenticator.proof(theirs)), 'auth.passkey_invalid');
    assert.equal(await refusal(ada.person, eve.authenticator.proof(hers)), 'auth.passkey_invalid');
  });

  for (const [name, lie] of [
    ['without user verification', { userVerified: false }],
    ['of another origin', { origin: 'https://evil.example' }],
    ['of another relying party', { rpId: 'evil.example' }],
    ['from a frame of another site', { crossOrigin: true }],
    ['that is no assertion', { type: 'webauthn.create' }],
    ['of a passkey that could not be copied before', { backupEligible: true }],
  ] as const)
    test(`${name} is refused`, async () => {
      const { person, authenticator } = await withPasskey();
      const proof = authenticator.proof(await optionsFor(person), lie);
      assert.equal(await refusal(person, proof), 'auth.passkey_invalid');
      const honest = authenticator.proof(await optionsFor(person));
      assert.equal((await check(person, honest)).method, 'passkey');
    });

  test('with a counter that stands still or falls is refused: the passkey was copied', async () => {
    const { person, authenticator } = await withPasskey();
    await check(person, authenticator.proof(await optionsFor(person)));
    const counter = authenticator.credentials[0]?.counter ?? 0;
    for (const lie of [{ counter }, { counter: 1 }, { counter: 0 }]) {
      const proof = authenticator.proof(await optionsFor(person), lie);
      assert.equal(await refusal(person, proof), 'auth.passkey_invalid', JSON.stringify(lie));
    }
  });

  for (const backedUp of [true, false])
    test(`by a passkey that ${backedUp ? 'is' : 'may be'} copied takes whatever each device counts`, async () => {
      const { person, authenticator } = await withPasskey(false);
      for (const counter of [7, 3, 7, 7, 8, 0]) {
        const proof = authenticator.proof(await optionsFor(person), { counter, backedUp });
        assert.equal((await check(person, proof)).method, 'passkey', `counter ${counter}`);
      }
    });

  test('by a passkey that is synchronised needs no counter', async () => {
    const { person, authenticator } = await withPasskey(false);
    for (let times = 0; times < 2; times++) {
      const proof = authenticator.proof(await optionsFor(person), { counter: 0 });
      assert.equal((await check(person, proof)).method, 'passkey');
    }
  });

  test('by a changed signature is refused', async () => {
    const { person, authenticator } = await withPasskey();
    const proof = authenticator.proof(await optionsFor(person));
    const signature = Buffer.from(proof.credential.response.signature, 'base64url');
    signature.writeUInt8(signature.readUInt8(signature.length - 1) ^ 1, signature.length - 1);
    const response = { ...proof.credential.response, signature: signature.toString('base64url') };
    const changed = { ...proof, credential: { ...proof.credential, response } };
    assert.equal(await refusal(person, changed), 'auth.passkey_invalid');
  });

  test('two at once with one nonce: one is good', async () => {
    const { person, authenticator } = await withPasskey();
    const options = await optionsFor(person);
    const proofs = [authenticator.proof(options), authenticator.proof(options)];
    const done = await Promise.allSettled(proofs.map((proof) => check(person, proof)));
    assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1);
  });

  test('by the login secret alone is not enough where two factors are demanded', async () => {
    const person = await registerPerson(platform());
    assert.deepEqual(await check(person, password(person)), { method: 'password', twoFactor: false });
    assert.equal(await refusal(person, password(person), { strong: true }), 'auth.two_factor_required');
  });

  test('takes the code of the second factor wherever it is on, each code once', async () => {
    const person = await registerPerson(platform());
    const { token } = person;
    const { secret } = await platform().must('POST', '/api/person/totp/enrol', {
      token,
      body: await mailedProof(platform(), person, 'POST /api/person/totp/enrol'),
    });
    const code = () => totpCode(fromBase32(secret), platform().clock.now());
    const { recovery_codes } = await platform().must('POST', '/api/person/totp/confirm', {
      token,
      body: { code: code() },
    });
    assert.deepEqual((await optionsFor(person)).methods, ['totp']);
    assert.equal(await refusal(person, password(person)), 'auth.two_factor_required');
    assert.equal(await refusal(person, password(person, { code: code() })), 'auth.second_factor_invalid');
    platform().clock.advance(30_000);
    const proof = password(person, { code: code() });
    assert.deepEqual(await check(person, proof, { strong: true }), { method: 'totp', twoFactor: true });
    assert.equal(await refusal(person, proof), 'auth.second_factor_invalid');
    const lost = password(person, { recovery_code: recovery_codes[0] });
    assert.equal((await check(person, lost, { strong: true })).method, 'recovery_code');
    assert.equal(await refusal(person, lost), 'auth.second_factor_invalid');
    const mailed = await platform().call('POST', '/api/person/presence/mailed-code', {
      token,
      body: { act: ACT },
    });
    assert.deepEqual([mailed.status, mailed.body.error_key], [409, 'account.mailed_code_unavailable']);
    proves('error:account.mailed_code_unavailable');
  });

  test('takes a mailed code of who has nothing better, for its act, once', async () => {
    const person = await registerPerson(platform());
    const { token } = person;
    assert.deepEqual((await optionsFor(person)).methods, ['password', 'mailed_code']);
    const { status } = await platform().call('POST', '/api/person/presence/mailed-code', {
      token,
      body: { act: ACT },
    });
    assert.equal(status, 202);
    const proof = password(person, { mailed_code: await mailedCode(platform(), person.email) });
    assert.equal(await refusal(person, proof, { act: 'another act' }), 'auth.second_factor_invalid');
    assert.equal((await check(person, proof, { strong: true })).method, 'mailed_code');
    assert.equal(await refusal(person, proof), 'auth.second_factor_invalid');
  });

  for (const [what, act] of [
    ['a passkey', 'POST /api/person/passkeys/options'],
    ['an authenticator app', 'POST /api/person/totp/enrol'],
  ] as const)
    test(`by the login secret alone adds not ${what}: a stolen password would become another way in`, async () => {
      const person = await registerPerson(platform());
      const { token, loginSecret: login_secret } = person;
      const path = act.slice('POST '.length);
      assert.deepEqual((await optionsFor(person, act)).methods, ['mailed_code']);
      const stolen = await platform().call('POST', path, { token, body: { login_secret } });
      assert.deepEqual([stolen.status, stolen.body.error_key], [401, 'auth.two_factor_required']);
      const ofAnother = await mailedProof(platform(), person, ACT);
      const wrong = await platform().call('POST', path, { token, body: ofAnother });
      assert.equal(wrong.body.error_key, 'auth.second_factor_invalid');
      const body = await mailedProof(platform(), person, act);
      const begun = await platform().call('POST', path, { token, body });
      assert.equal(begun.status, 200, begun.text);
    });

  test('by the login secret alone adds no second passkey: the first one does', async () => {
    const { person, authenticator } = await withPasskey();
    const { token, loginSecret: login_secret } = person;
    const path = '/api/person/passkeys/options';
    assert.deepEqual((await optionsFor(person, `POST ${path}`)).methods, ['passkey']);
    const stolen = await platform().call('POST', path, { token, body: { login_secret } });
    assert.equal(stolen.body.error_key, 'auth.two_factor_required');
    const { kind: _kind, ...passkey } = authenticator.proof(await optionsFor(person, `POST ${path}`));
    assert.equal((await platform().call('POST', path, { token, body: { passkey } })).status, 200);
  });

  test('by the login secret alone gives a login of the portal no factor and no other address', async () => {
    const company = await registerCompany(platform());
    const { token, loginSecret: login_secret } = company;
    for (const [path, more] of [
      ['/api/account/passkeys/options', {}],
      ['/api/account/2fa/enrol', {}],
      ['/api/account/email', { new_email: 'thief@example.org' }],
    ] as const) {
      const stolen = await platform().call('POST', path, { token, body: { login_secret, ...more } });
      assert.deepEqual([stolen.status, stolen.body.error_key], [401, 'auth.two_factor_required'], path);
      const body = { ...(await mailedProof(platform(), company, `POST ${path}`)), ...more };
      const begun = await platform().call('POST', path, { token, body });
      assert.ok(begun.status < 300, begun.text);
    }
  });

  test('the mail with a code says what the code approves, in no words but its own', async () => {
    const mailFor = async (act: string) => {
      const person = await registerPerson(platform());
      const { token } = person;
      await platform().must('POST', '/api/person/presence/mailed-code', { token, body: { act } });
      const mail = await lastMail(platform(), person.email);
      assert.doesNotMatch(/^Subject: (.*)$/m.exec(mail)?.[1] ?? '', /evil/i);
      return mail;
    };
    const id = '0198c0de-0000-7000-8000-000000000000';
    for (const [act, told] of [
      [`approve challenge ${id}`, /approving a login that a service asks you about/],
      [`consent ${id} ${'a'.repeat(64)}`, /approving what an app or a site asks of you/],
      [`revoke enrolment ${id}`, /ending the right of a service/],
      ['connect ACME12/SHOP34', /connecting to the service "ACME12\/SHOP34"/],
      ['PUT /api/person/password', /setting a new password/],
      [`POST /api/person/passkeys/${id}/remove`, /removing a passkey/],
    ] as const)
      assert.match(await mailFor(act), told);
    for (const act of [
      'call evil.example',
      'connect EVIL/evil.example',
      'POST /api/evil',
      `approve challenge ${id}\nevil`,
    ])
      assert.doesNotMatch(await mailFor(act), /evil/i);
  });

  test('wrong ones count as failed sign-ins, whatever they are made with', async () => {
    const { person, authenticator } = await withPasskey();
    for (let tries = 0; tries < 5; tries++) {
      const wrong = password({ ...person, loginSecret: WRONG_SECRET });
      assert.equal(await refusal(person, wrong), 'auth.credentials_invalid');
      const lie = authenticator.proof(await optionsFor(person), { userVerified: false });
      assert.equal(await refusal(person, lie), 'auth.passkey_invalid');
    }
    assert.equal(await refusal(person, password(person)), 'auth.throttled');
    const honest = authenticator.proof(await optionsFor(person));
    assert.equal(await refusal(person, honest), 'auth.throttled');
    const { email, loginSecret: login_secret } = person;
    const signIn = await platform().call('POST', '/api/person/login', { body: { email, login_secret } });
    assert.equal(signIn.body.error_key, 'auth.throttled');
  });

  test('asking for options stores nothing; a used nonce goes when it would have expired', async () => {
    const { person, authenticator } = await withPasskey();
    const rows = () => platform().context.database.reader.selectFrom('used_nonces').select('nonce').execute();
    const before = (await rows()).length;
    const options = await optionsFor(person);
    assert.equal((await rows()).length, before);
    await check(person, authenticator.proof(options));
    assert.equal((await rows()).length, before + 1);
    platform().clock.advance(5 * 60_000);
    const sweep = platform().context.domain.sweeps.find(({ name }) => name === 'proofs of presence');
    await sweep?.run(new AbortController().signal);
    assert.deepEqual(await rows(), []);
  });

  test('names an act of at most 300 characters', async () => {
    const { token } = await registerPerson(platform());
    const ask = (length: number) =>
      platform().call('POST', '/api/person/presence', { token, body: { act: 'a'.repeat(length) } });
    assert.equal((await ask(300)).status, 200);
    assert.equal((await ask(301)).body.error_key, 'request.invalid');
    proves('limit:presenceActMost');
  });

  test('of a login of the portal counts wherever its login secret and code do', async () => {
    const company = await registerCompany(platform());
    const { token, loginSecret: login_secret } = company;
    const { code } = await enrolSecondFactor(platform(), company);
    platform().clock.advance(30_000);
    const { authenticator, id } = await addPasskey(platform(), company, {
      at: '/api/account/passkeys',
      proof: { login_secret, code: code() },
    });
    const passkey = async (act: string) => {
      const options = await platform().must('POST', '/api/account/2fa/presence', { token, body: { act } });
      const { kind: _kind, ...answer } = authenticator.proof(options);
      return answer;
    };
    const act = 'POST /api/account/recovery-key/open';
    const opened = await platform().call('POST', '/api/account/recovery-key/open', {
      token,
      body: { passkey: await passkey(act) },
    });
    assert.equal(opened.status, 200, opened.text);
    const other = await platform().call('POST', '/api/account/recovery-key/open', {
      token,
      body: { passkey: await passkey('POST /api/account-key') },
    });
    assert.equal(other.body.error_key, 'auth.passkey_invalid');
    const neither = await platform().call('POST', '/api/account/recovery-key/open', { token, body: {} });
    assert.equal(neither.body.error_key, 'account.key_invalid');
    const path = `/api/account/passkeys/${id}/remove`;
    const removed = await platform().call('POST', path, {
      token,
      body: { passkey: await passkey(`POST ${path}`) },
    });
    assert.equal(removed.status, 204, removed.text);
    proves('route:POST /api/account/passkeys/{id}/remove');
    assert.match(await lastMail(platform(), company.email), /Subject: A passkey was removed/);
    const { items } = await platform().must('GET', '/api/account/audit-log', { token });
    const actions = items.map(({ action }: { action: string }) => action);
    assert.ok(actions.includes('passkey.added') && actions.includes('passkey.removed'));
  });
});

onPlatform('passkeys', (platform) => {
  const at = '/api/person/passkeys';
  const optionsOf = async (person: TestPerson) => {
    const body = await mailedProof(platform(), person, `POST ${at}/options`);
    return platform().call('POST', `${at}/options`, { token: person.token, body });
  };
  const signInOptions = () => platform().must('POST', '/api/person/login/passkey/options');

  test('are added after a fresh proof, listed, renamed and removed after another', async () => {
    const person = await registerPerson(platform());
    const { token } = person;
    const wrong = await optionsOf({ ...person, loginSecret: WRONG_SECRET });
    assert.equal(wrong.body.error_key, 'auth.credentials_invalid');
    const { id, authenticator } = await addPasskey(platform(), person);
    assert.match(await lastMail(platform(), person.email), /Subject: A passkey was added/);
    const list = async () => (await platform().must('GET', at, { token })).items;
    assert.deepEqual(await list(), [
      {
        id,
        credential_id: authenticator.credentials[0]?.id,
        name: 'Laptop',
        backed_up: false,
        opens_key: false,
        created_at: new Date(platform().clock.now()).toISOString(),
        last_used_at: null,
      },
    ]);
    assert.equal(
      (await platform().call('PUT', `${at}/${id}`, { token, body: { name: 'Phone' } })).status,
      204,
    );
    assert.equal((await list())[0].name, 'Phone');
    const remove = (body: object) => platform().call('POST', `${at}/${id}/remove`, { token, body });
    assert.equal((await remove({})).body.error_key, 'account.key_invalid');
    assert.equal((await remove({ login_secret: person.loginSecret })).status, 204);
    proves('route:POST /api/person/passkeys/{id}/remove');
    assert.deepEqual(await list(), []);
    assert.equal(
      (await remove({ login_secret: person.loginSecret })).body.error_key,
      'account.passkey_not_found',
    );
    const other = await platform().call('PUT', `${at}/${id}`, { token, body: { name: 'x' } });
    assert.equal(other.body.error_key, 'account.passkey_not_found');
    proves('error:account.passkey_not_found');
  });

  test('are not added with a nonce of another account, used before, or without user verification', async () => {
    const person = await registerPerson(platform());
    const other = await registerPerson(platform());
    const authenticator = SoftwareAuthenticator.for(platform());
    const options = (await optionsOf(person)).body;
    const add = (token: string, credential: object, nonce = options.challenge) =>
      platform().call('POST', at, { token, body: { nonce, name: 'x', credential } });
    const unverified = await add(person.token, authenticator.create(options, { userVerified: false }));
    assert.equal(unverified.body.error_key, 'auth.passkey_invalid');
    const crossed = await add(other.token, authenticator.create(options));
    assert.equal(crossed.body.error_key, 'auth.passkey_invalid');
    const elsewhere = await add(
      person.token,
      authenticator.create(options, { origin: 'https://evil.example' }),
    );
    assert.equal(elsewhere.body.error_key, 'auth.passkey_invalid');
    // Nor with the nonce of an act: that one comes without a proof.
    const act = await platform().must('POST', '/api/person/presence', {
      token: person.token,
      body: { act: 'add a passkey' },
    });
    const unproven = authenticator.create({ ...options, challenge: act.nonce });
    assert.equal((await add(person.token, unproven, act.nonce)).body.error_key, 'auth.passkey_invalid');
    assert.equal((await add(person.token, authenticator.create(options))).status, 201);
    const again = await add(person.token, authenticator.create(options));
    assert.equal(again.body.error_key, 'auth.passkey_invalid');
  });

  test('may have keys of every kind that authenticators make', async () => {
    for (const keys of [
      generateKeyPairSync('ec', { namedCurve: 'P-256' }),
      generateKeyPairSync('ed25519'),
      generateKeyPairSync('rsa', { modulusLength: 2048 }),
    ]) {
      const person = await registerPerson(platform());
      const authenticator = SoftwareAuthenticator.for(platform());
      const options = (await optionsOf(person)).body;
      const credential = authenticator.create(options, {}, keys);
      const body = { nonce: options.challenge, name: 'x', credential };
      await platform().must('POST', at, { token: person.token, body });
      const proof = await passkeyProof(platform(), person.token, 'act', authenticator);
      const account = { kind: 'person', personId: person.id } as const;
      const check = () =>
        platform().context.presence.check(account, 'act', proof, '127.0.0.1', { strong: true });
      assert.equal((await check()).method, 'passkey');
    }
  });

  test('are not added with RSA keys that are weak, or whose answers would take long to check', async () => {
    const person = await registerPerson(platform());
    const authenticator = SoftwareAuthenticator.for(platform());
    const { privateKey } = generateKeyPairSync('ed25519');
    const odd = (length: number) => {
      const bytes = randomBytes(length);
      bytes[0] = 0x7f;
      bytes[length - 1] = 0xff;
      return bytes.toString('base64url');
    };
    for (const [n, e] of [
      [128, 3],
      [1024, 3],
      [2048, 3],
      [256, 5],
      [256, 255],
    ] as const) {
      const jwk = { kty: 'RSA', n: odd(n), e: odd(e) };
      const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
      const options = (await optionsOf(person)).body;
      const credential = authenticator.create(options, {}, { privateKey, publicKey });
      const body = { nonce: options.challenge, name: 'x', credential };
      const answer = await platform().call('POST', at, { token: person.token, body });
      assert.deepEqual([answer.status, answer.body.error_key], [401, 'auth.passkey_invalid'], `${n} ${e}`);
    }
  });

  test('are at most ten', async () => {
    const person = await registerPerson(platform());
    const { authenticator } = await addPasskey(platform(), person);
    const proof = async () => {
      const { kind: _kind, ...passkey } = await passkeyProof(
        platform(),
        person.token,
        `POST ${at}/options`,
        authenticator,
      );
      return { passkey };
    };
    for (let count = 1; count < 10; count++) await addPasskey(platform(), person, { proof: await proof() });
    const refused = await platform().call('POST', `${at}/options`, {
      token: person.token,
      body: await proof(),
    });
    assert.deepEqual([refused.status, refused.body.error_key], [409, 'account.passkey_limit']);
    proves('error:account.passkey_limit', 'limit:passkeysMost');
  });

  test('sign in without an address and without the second factor, and bring the key they wrap', async () => {
    const person = await registerPerson(platform());
    const { id, authenticator } = await addPasskey(platform(), person);
    const { token } = person;
    const enrol = 'POST /api/person/totp/enrol';
    const { kind: _kind, ...passkey } = await passkeyProof(platform(), token, enrol, authenticator);
    const { secret } = await platform().must('POST', '/api/person/totp/enrol', { token, body: { passkey } });
    const code = totpCode(fromBase32(secret), platform().clock.now());
    await platform().must('POST', '/api/person/totp/confirm', { token, body: { code } });
    const signIn = (body: object) => platform().call('POST', '/api/person/login/passkey', { body });
    const first = await signIn(authenticator.get(await signInOptions()));
    assert.equal(first.status, 200, first.text);
    assert.deepEqual([first.body.person.person_user_id, first.body.encrypted_private_key], [person.id, null]);

    const pkcs8 = new Uint8Array(1218).fill(3);
    const output = authenticator.prf(passkeyPrfInput());
    const wrapped = await wrapPrivateKey(pkcs8, await derivePasskeyWrapKey(output));
    const act = `wrap key of passkey ${id}`;
    const options = await platform().must('POST', '/api/person/presence', { token, body: { act } });
    const stored = await platform().call('PUT', `${at}/${id}/key`, {
      token,
      body: { passkey: authenticator.get(options), encrypted_private_key: wrapped },
    });
    assert.equal(stored.status, 204, stored.text);
    const answer = authenticator.get(await signInOptions());
    const second = await signIn({ session: 'cookie', ...answer });
    assert.match(second.headers.get('set-cookie') ?? '', /^symbolon_person=spp_/);
    proves('route:PUT /api/person/passkeys/{id}/key');
    const opened = await unwrapPrivateKey(
      second.body.encrypted_private_key,
      await derivePasskeyWrapKey(output),
    );
    assert.ok(Buffer.from(opened).equals(Buffer.from(pkcs8)));
    assert.equal((await signIn(answer)).body.error_key, 'auth.passkey_invalid', 'a replay');
    proves('error:auth.passkey_invalid');
    // Nor does a proof for an act sign in, or the other way round.
    const proof = authenticator.get(
      await platform().must('POST', '/api/person/presence', { token, body: { act: 'sign in' } }),
    );
    assert.equal((await signIn(proof)).body.error_key, 'auth.passkey_invalid');
  });

  test('the output of the PRF extension is refused: it must stay on the device', async () => {
    const person = await registerPerson(platform());
    const { authenticator } = await addPasskey(platform(), person);
    const answer = authenticator.get(await signInOptions());
    const leaking = {
      ...answer.credential,
      clientExtensionResults: { prf: { results: { first: 'c2VjcmV0' } } },
    };
    const refused = await platform().call('POST', '/api/person/login/passkey', {
      body: { nonce: answer.nonce, credential: leaking },
    });
    assert.deepEqual([refused.status, refused.body.error_key], [400, 'request.invalid']);
  });

  test('of people sign in no login of the portal, nor the other way round', async () => {
    const [person, company] = [await registerPerson(platform()), await registerCompany(platform())];
    const { authenticator: hers } = await addPasskey(platform(), person);
    const { authenticator: theirs } = await addPasskey(platform(), company, { at: '/api/account/passkeys' });
    const portal = async (from: SoftwareAuthenticator) =>
      platform().call('POST', '/api/portal/sign-in/passkey', {
        body: from.get(await platform().must('POST', '/api/portal/sign-in/passkey/options')),
      });
    const inside = await portal(theirs);
    assert.equal(inside.status, 200, inside.text);
    assert.equal(inside.body.company.company_user_id, company.id);
    assert.equal((await portal(hers)).body.error_key, 'auth.passkey_invalid');
    const crossed = await platform().call('POST', '/api/person/login/passkey', {
      body: theirs.get(await signInOptions()),
    });
    assert.equal(crossed.body.error_key, 'auth.passkey_invalid');
  });
});

onPlatform(
  'passkeys where the pages have an IP address',
  (platform) => {
    test('are refused in words', async () => {
      const person = await registerPerson(platform());
      const refused = await platform().call('POST', '/api/person/passkeys/options', {
        token: person.token,
        body: { login_secret: person.loginSecret },
      });
      assert.deepEqual([refused.status, refused.body.error_key], [409, 'account.passkeys_unavailable']);
      proves('error:account.passkeys_unavailable');
    });
  },
  { SYMBOLON_PUBLIC_URL: 'http://192.0.2.1:8080' },
);
