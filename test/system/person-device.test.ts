import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Authenticator,
  PersonClient,
  type PersonEvent,
  type PersonProof,
  type Runtime,
} from '@symbolon/sdk/person';
import { SoftwareAuthenticator } from '@symbolon/testkit/actors/authenticator';
import { mailedCode } from '@symbolon/testkit/actors/portal-logins';
import { ask, createAskingService, enrol } from '@symbolon/testkit/actors/second-factor';
import { fromBase32, totpCode } from '@symbolon/testkit/actors/totp';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform } from '@symbolon/testkit/platform/platform';

/* What a person's device does beside fields: the SDK against the real platform. */

const PASSWORD = 'correct horse battery';
const PROOF = { password: PASSWORD };

onPlatform("a person's device", (platform) => {
  let people = 0;
  const access = (email: string) => ({
    baseUrl: platform().url,
    email,
    runtime: { now: () => platform().clock.now() },
  });
  const newPerson = async () => {
    const email = `eva${++people}@example.com`;
    const made = { ...access(email), password: PASSWORD, displayName: 'Eva' };
    return { email, ...(await PersonClient.register(made)) };
  };
  /** @param prf when a passkey gives its output: at once, only when it is used, or never */
  const passkeyDevice = (prf: 'at once' | 'in use' | 'never' = 'at once'): Authenticator => {
    const software = SoftwareAuthenticator.for(platform());
    const results = (options: { extensions: { prf: { eval: { first: BufferSource } } } }) => {
      const input = new Uint8Array(options.extensions.prf.eval.first as Uint8Array<ArrayBuffer>);
      return { first: new Uint8Array(software.prf(input)).buffer };
    };
    return {
      create: async (options) => {
        const made = software.create(options);
        const gives = prf === 'at once' ? { results: results(options) } : {};
        const clientExtensionResults = { prf: { enabled: prf !== 'never', ...gives } };
        return { ...made, clientExtensionResults };
      },
      get: async (options) => {
        assert.equal(options.userVerification, 'required');
        const { credential } = software.get({ nonce: options.challenge });
        const gives = prf === 'never' ? {} : { prf: { results: results(options) } };
        return { ...credential, clientExtensionResults: gives };
      },
    };
  };
  /** The proof of a person without a second factor for what the password alone does not do. */
  const mailed = async (
    client: PersonClient,
    email: string,
    call: 'addPasskey' | 'beginTotp' | 'startEmailChange',
  ) => {
    await client.security.mailCode(call);
    return { ...PROOF, mailedCode: await mailedCode(platform(), email) };
  };
  const totp = (secret: string) => totpCode(fromBase32(secret), platform().clock.now());

  test('signs in by a passkey that opens the key, and goes on without the password', async () => {
    const { client, email } = await newPerson();
    const field = await client.createField({ type: 'text', slug: 'note', label: 'Note', value: 'kept' });
    await assert.rejects(client.security.addPasskey('x', passkeyDevice(), PROOF), {
      errorKey: 'auth.two_factor_required',
    });
    let proof: PersonProof = await mailed(client, email, 'addPasskey');
    for (const kind of ['at once', 'in use'] as const) {
      const passkey = passkeyDevice(kind);
      const made = await client.security.addPasskey(kind, passkey, proof);
      // The next one is added by this one.
      proof = { passkey };
      proves('route:POST /api/person/passkeys', 'route:POST /api/person/passkeys/options');
      assert.deepEqual([made.name, made.opens_key], [kind, true]);
      const again = await PersonClient.loginWithPasskey({ ...access(email), passkey });
      proves('route:POST /api/person/login/passkey', 'route:POST /api/person/login/passkey/options');
      assert.deepEqual([again.hasKey, again.person.email], [true, email]);
      assert.equal((await again.field(field.id)).text, 'kept');
      // The second passkey is made with the proof of the first device, by a passkey alone.
      await again.security.renamePasskey(made.id, 'Laptop');
      const [listed] = (await again.security.passkeys()).filter(({ id }) => id === made.id);
      proves('route:GET /api/person/passkeys', 'route:PUT /api/person/passkeys/{id}');
      assert.equal(listed?.name, 'Laptop');
      if (kind === 'at once') continue;
      await again.security.changePassword({ passkey }, 'another horse battery');
      const renewed = await again.security.renewRecoveryCode({ passkey });
      assert.match(renewed, /\w/);
      await assert.rejects(PersonClient.login({ ...access(email), ...PROOF }), {
        errorKey: 'auth.credentials_invalid',
      });
      proves('route:PUT /api/person/password');
      const byPassword = await PersonClient.login({ ...access(email), password: 'another horse battery' });
      assert.equal((await byPassword.field(field.id)).text, 'kept');
    }
  });

  test('with a passkey that does not open the key approves, and says what needs the password', async () => {
    const { client, email } = await newPerson();
    const field = await client.createField({ type: 'text', slug: 'note', label: 'Note', value: 'kept' });
    const passkey = passkeyDevice('never');
    const proof = await mailed(client, email, 'addPasskey');
    const made = await client.security.addPasskey('Key ring', passkey, proof);
    assert.equal(made.opens_key, false);
    assert.equal((await client.security.openKeyWith(made.id, passkey)).opens_key, false);
    const locked = await PersonClient.loginWithPasskey({ ...access(email), passkey });
    assert.equal(locked.hasKey, false);
    assert.deepEqual(await locked.approvals.pending(), []);
    for (const act of [
      () => locked.field(field.id),
      () => locked.fields(),
      () => locked.security.changePassword({ passkey }, 'another horse battery'),
      () => locked.security.renewRecoveryCode({ passkey }),
    ])
      await assert.rejects(act, { errorKey: 'sdk.key_locked' });
    await locked.security.removePasskey(made.id, { passkey });
    assert.deepEqual(await locked.security.passkeys(), []);
    await assert.rejects(locked.security.openKeyWith(made.id, passkey), {
      errorKey: 'account.passkey_not_found',
    });
  });

  test('changes the address that signs in by codes that are mailed to both', async () => {
    const { client, email } = await newPerson();
    const next = `new-${email}`;
    await assert.rejects(client.security.startEmailChange(next, PROOF), {
      errorKey: 'auth.two_factor_required',
    });
    await client.security.startEmailChange(next, await mailed(client, email, 'startEmailChange'));
    await client.security.confirmEmailChange(await mailedCode(platform(), next));
    assert.equal(client.person.email, next);
    const again = await PersonClient.login({ ...access(next), ...PROOF });
    assert.equal(again.person.email, next);
    await assert.rejects(PersonClient.login({ ...access(email), ...PROOF }), {
      errorKey: 'auth.credentials_invalid',
    });
  });

  test('asks for the second factor at the sign-in, at a recovery and for proofs, and sends a wrong one once', async () => {
    const { client, email, recoveryCode } = await newPerson();
    const { secret } = await client.security.beginTotp(await mailed(client, email, 'beginTotp'));
    const codes = await client.security.confirmTotp(totp(secret));
    proves(
      'route:GET /api/person/totp',
      'route:POST /api/person/totp/enrol',
      'route:POST /api/person/totp/confirm',
    );
    assert.ok((await client.security.totp()).enabled);
    const next = () => {
      platform().clock.advance(30_000);
      return totp(secret);
    };
    const without = { errorKey: 'auth.two_factor_required' };
    await assert.rejects(PersonClient.login({ ...access(email), ...PROOF }), without);
    await assert.rejects(client.security.newTotpRecoveryCodes(PROOF), without);
    const secondFactor = async () => ({ code: next() });
    const sent: string[] = [];
    const fetch: typeof globalThis.fetch = (url, init) => {
      sent.push(new URL(String(url)).pathname);
      return globalThis.fetch(url, init);
    };
    const watched = {
      ...access(email),
      runtime: { ...access(email).runtime, fetch: fetch as Runtime['fetch'] },
    };
    const again = await PersonClient.login({ ...watched, ...PROOF, secondFactor });
    await assert.rejects(again.security.newTotpRecoveryCodes({ ...PROOF, code: '000000' }), {
      errorKey: 'auth.second_factor_invalid',
    });
    assert.equal(sent.filter((path) => path.endsWith('/recovery-codes')).length, 1);
    // The token expires after an hour, and the factor is asked for again.
    platform().clock.advance(3_600_001);
    assert.equal((await again.me()).email, email);
    const [recovery = ''] = codes;
    await again.security.newTotpRecoveryCodes({ ...PROOF, recoveryCode: recovery });
    const lost = { ...access(email), recoveryCode, newPassword: 'a new horse battery' };
    await assert.rejects(PersonClient.recover(lost), without);
    const recovered = await PersonClient.recover({ ...lost, secondFactor });
    await recovered.client.security.endTotp({ password: lost.newPassword, code: next() });
    assert.ok(!(await recovered.client.security.totp()).enabled);
    assert.ok((await PersonClient.login({ ...access(email), password: lost.newPassword })).hasKey);
  });

  test('proves presence by a mailed code, and hears of a card that it then approves', async () => {
    const { client, email } = await newPerson();
    const service = await createAskingService(platform());
    await enrol(platform(), { id: client.person.person_user_id }, service);
    const [{ enrollment_id: enrolment } = assert.fail('not enrolled')] = await client.approvals.enrollments();
    const shareCode = client.person.share_code;
    const stop = new AbortController();
    const heard: PersonEvent[] = [];
    const wanted = Promise.withResolvers<string>();
    const listening = (async () => {
      for await (const event of client.events({ signal: stop.signal })) {
        heard.push(event);
        if (event.kind === 'connected') await ask(platform(), service, { shareCode });
        if (event.kind === 'two_factor_challenge') wanted.resolve(event.id);
        if (event.kind === 'two_factor_challenge_closed') stop.abort(new Error('enough'));
      }
    })();
    const ended = assert.rejects(listening, /enough/);
    const id = await wanted.promise;
    const [card] = await client.approvals.pending();
    assert.deepEqual([card?.challenge_id, card?.number_matching], [id, false]);
    const act = `approve challenge ${id}`;
    assert.ok((await client.presence.options(act)).methods.includes('mailed_code'));
    await client.presence.mailCode(act);
    const code = await mailedCode(platform(), email);
    await assert.rejects(client.approvals.approve(id, { ...PROOF, mailedCode: '000000' }));
    proves('route:POST /api/person/presence/mailed-code');
    assert.equal(await client.approvals.approve(id, { ...PROOF, mailedCode: code }), 'approved');
    assert.equal((await client.approvals.challenge(id)).status, 'approved');
    await ended;
    assert.deepEqual(heard, [
      { kind: 'connected' },
      { kind: 'two_factor_challenge', id },
      { kind: 'two_factor_challenge_closed', id },
    ]);
    await client.approvals.mute(enrolment, true);
    assert.equal((await client.approvals.enrollments())[0]?.muted, true);
    await client.approvals.revoke(enrolment, PROOF);
    assert.deepEqual(await client.approvals.enrollments(), []);
  });

  test('has tickets for event streams, push messages where the platform sends them, and no session of a browser', async () => {
    const { client } = await newPerson();
    const { ticket } = await client.devices.eventTicket();
    const stop = new AbortController();
    const url = `${platform().url}/api/person/events?ticket=${ticket}`;
    assert.equal((await fetch(url, { signal: stop.signal })).status, 200);
    stop.abort();
    assert.deepEqual(await client.devices.list(), {
      push: { enabled: false, application_server_key: null },
      devices: [],
    });
    const subscription = { endpoint: 'https://push.example/1', keys: { p256dh: 'x', auth: 'x' } };
    await assert.rejects(client.devices.add(subscription), { errorKey: 'people.push_off' });
    const unknown = crypto.randomUUID();
    await assert.rejects(client.devices.remove(unknown), { errorKey: 'people.device_not_found' });
    assert.deepEqual(await client.security.sessions(), []);
    await client.security.endSessions();
    await assert.rejects(client.security.endSession(unknown), { errorKey: 'account.session_not_found' });
  });
});
