import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { test } from 'node:test';
import { fingerprint, generateKeyPair, importPrivateKey, openText, sealValue } from '@symbolon/crypto';
import type {
  AcceptInvitationRequest,
  CreateServiceRequest,
  PasswordRequest,
  Pins,
  PortalAccount,
  PortalConfirmRequest,
  PortalRegisterRequest,
  PortalResetConfirmRequest,
  PortalSignInRequest,
  PutPinsRequest,
  RecoverRequest,
  ShareRecoveryKeyRequest,
} from '@symbolon/protocol';
import {
  AuthenticationError,
  ConfigurationError,
  ConflictError,
  DecryptionError,
  UnconfirmedKeyError,
} from '../http/errors.ts';
import { FakePlatform, refusal } from '../testing/fake-platform.ts';
import { PortalClient } from './portal-client.ts';

const PASSWORD = 'correct horse battery';
const EMAIL = 'owner@acme.example';
const NO_PINS: Pins = { counter: 0, iv: null, data: null };

/** A portal with one company and its login as they were registered. */
async function fakePortal() {
  let company: PortalAccount | undefined;
  const services: CreateServiceRequest[] = [];
  let pins: Pins = NO_PINS;
  const saved = () => company ?? assert.fail('nobody registered');
  const session = () => ({
    status: 201,
    body: {
      token: 's1',
      expires_at: 'x',
      company: {},
      login: { id: 'l', email: EMAIL },
      encrypted_private_key: saved().encrypted_private_key,
    },
  });
  const proven = (login_secret: string) => login_secret === saved().login_secret;
  const wrong = () => refusal(401, 'auth.credentials_invalid');
  const platform = await FakePlatform.start({
    'POST /api/portal/register': ({ json }) => {
      company = json<PortalRegisterRequest>().account;
      return company ? session() : { status: 202, body: { ticket: 'ticket' } };
    },
    'POST /api/portal/register/confirm': ({ json }) => {
      company = json<PortalConfirmRequest>().account;
      return session();
    },
    'POST /api/portal/login/parameters': () => ({ body: { version: saved().version, salt: saved().salt } }),
    'POST /api/portal/sign-in': ({ json }) =>
      proven(json<PortalSignInRequest>().login_secret) ? session() : wrong(),
    'POST /api/portal/sign-out': () => ({ status: 204 }),
    'GET /api/portal/session': () => ({ body: { login: { email: EMAIL } } }),
    'PUT /api/account/password': ({ json }) => {
      const { login_secret, new: material } = json<PasswordRequest & { login_secret: string }>();
      if (!proven(login_secret)) return wrong();
      company = { ...saved(), ...material };
      return { status: 204 };
    },
    'GET /api/account/recovery-key': () => ({ body: { public_key: saved().recovery_key.public_key } }),
    'POST /api/account/recovery-key/open': ({ json }) =>
      proven(json<{ login_secret: string }>().login_secret) ? { body: saved().recovery_key } : wrong(),
    'GET /api/account/pins': () => ({ body: pins }),
    'PUT /api/account/pins': ({ json }) => {
      const next = json<PutPinsRequest>();
      if (next.counter <= pins.counter) return refusal(409, 'people.pins_outdated');
      pins = next;
      return { status: 204 };
    },
    'POST /api/services': ({ json }) => {
      services.push(json());
      return { status: 201, body: { id: 'svc' } };
    },
    'GET /api/account/recovery-copies': () => ({
      body: {
        items: services.map(({ passphrase_recovery_copy: sealed }) => ({
          id: 'r',
          kind: 'service_passphrase',
          service_id: 'svc',
          client_id: null,
          sealed,
          created_at: 'x',
        })),
      },
    }),
  });
  const access = { baseUrl: platform.url, email: EMAIL, password: PASSWORD };
  const { client, recoveryCode } = await PortalClient.register({ ...access, name: 'Acme' });
  return {
    platform,
    access,
    client,
    recoveryCode,
    services,
    saved,
    pins: () => pins,
    setPins: (list: Pins) => {
      pins = list;
    },
    forgetPins: () => {
      pins = NO_PINS;
    },
    change: (account: Partial<PortalAccount>) => {
      company = { ...saved(), ...account };
    },
    [Symbol.asyncDispose]: () => platform[Symbol.asyncDispose](),
  };
}

test('a company registers with the code that was mailed, and nothing of its password or keys is readable', async () => {
  await using portal = await fakePortal();
  portal.forgetPins();
  const { client, recoveryCode } = await PortalClient.register({
    ...portal.access,
    name: 'Acme',
    code: async () => '123456',
  });
  const registering = portal.platform.requests.filter(({ path }) => path.startsWith('/api/portal/register'));
  const [first, second] = registering.slice(-2);
  assert.deepEqual(first?.json(), { email: EMAIL });
  const { ticket, code } = second?.json<PortalConfirmRequest>() ?? {};
  assert.deepEqual([ticket, code], ['ticket', '123456']);
  const { public_key } = portal.saved().recovery_key;
  assert.equal(await client.recoveryKeyFingerprint(), await fingerprint(public_key));
  const sent = portal.platform.requests.map(({ text }) => text).join();
  for (const secret of [PASSWORD, recoveryCode]) assert.ok(!sent.includes(secret));
});

test('a proof is the login secret, not the password, for a fresh client and for a resumed one', async () => {
  await using portal = await fakePortal();
  portal.platform.route('POST /api/account/2fa/enrol', () => ({ body: {} }));
  const resumed = PortalClient.resume({ baseUrl: portal.platform.url, token: 's1', expiresAt: 'x' });
  for (const client of [portal.client, resumed]) {
    await client.security.enrolTwoFactor({ password: PASSWORD, code: '1' });
    const sent = portal.platform.requests.at(-1)?.json();
    assert.deepEqual(sent, { login_secret: portal.saved().login_secret, code: '1' });
  }
  await assert.rejects(resumed.recovery.secrets({ password: PASSWORD }), { errorKey: 'sdk.key_locked' });
});

test('after a change of password the new one signs in and opens the recovery copies', async () => {
  await using portal = await fakePortal();
  const { passphrase } = await portal.client.createService({ name: 'Shop', adminEmail: 'a@acme.example' });
  const { security } = portal.client;
  const next = 'another long password';
  await assert.rejects(security.changePassword({ password: 'not this one' }, next), AuthenticationError);
  await assert.rejects(security.changePassword({ password: PASSWORD }, 'iloveyou123'), {
    errorKey: 'sdk.password_weak',
  });
  await security.changePassword({ password: PASSWORD }, next);
  await assert.rejects(PortalClient.signIn(portal.access), AuthenticationError);
  const again = await PortalClient.signIn({ ...portal.access, password: next });
  assert.equal((await again.recovery.secrets({ password: next }))[0]?.secret, passphrase);
});

test('the recovery code sets a new password and is replaced', async () => {
  await using portal = await fakePortal();
  const { encrypted_private_key } = portal.saved().recovery;
  portal.platform.route('POST /api/portal/recover/key', () => ({ body: { encrypted_private_key } }));
  portal.platform.route('POST /api/portal/recover', ({ json }) => {
    portal.change(json<RecoverRequest>());
    return { status: 204 };
  });
  const { access, recoveryCode } = portal;
  const newPassword = 'another long password';
  const renewed = await PortalClient.recover({ ...access, recoveryCode, newPassword });
  assert.notEqual(renewed.recoveryCode, recoveryCode);
  const client = await PortalClient.signIn({ ...access, password: newPassword });
  assert.deepEqual(await client.recovery.secrets({ password: newPassword }), []);
});

test('a login from before is reset by a mailed code with keys that are made here', async () => {
  await using portal = await fakePortal();
  let sent: PortalResetConfirmRequest | undefined;
  let isCompany = false;
  portal.platform.route('POST /api/portal/reset', () => ({ status: 202, body: { ticket: 't' } }));
  portal.platform.route('POST /api/portal/reset/confirm', ({ json }) => {
    sent = json<PortalResetConfirmRequest>();
    if (isCompany && sent.recovery_key === undefined) return refusal(400, 'account.recovery_key_required');
    portal.change(sent as Partial<PortalAccount>);
    return { status: 204 };
  });
  const newPassword = 'another long password';
  const code = async () => '123456';
  const delegate = await PortalClient.reset({ ...portal.access, newPassword, code });
  assert.deepEqual([sent?.recovery_key, delegate.recoveryKeyFingerprint], [undefined, undefined]);
  isCompany = true;
  const { recoveryKeyFingerprint } = await PortalClient.reset({ ...portal.access, newPassword, code });
  assert.deepEqual([sent?.ticket, sent?.code], ['t', '123456']);
  const access = { ...portal.access, password: newPassword, recoveryKeyFingerprint };
  const client = await PortalClient.signIn(access);
  const { passphrase } = await client.createService({ name: 'Shop', adminEmail: 'a@acme.example' });
  assert.equal((await client.recovery.secrets({ password: newPassword }))[0]?.secret, passphrase);
});

test('a delegate accepts an invitation with an own key pair', async () => {
  await using portal = await fakePortal();
  let sent: AcceptInvitationRequest | undefined;
  portal.platform.route('POST /api/portal/invitation/accept', ({ json }) => {
    sent = json();
    return { status: 201, body: { token: 's2', expires_at: 'x', login: { email: 'ben@acme.example' } } };
  });
  const { client, recoveryCode } = await PortalClient.acceptInvitation({
    baseUrl: portal.platform.url,
    token: 'inv',
    name: 'Ben',
    password: 'another long password',
  });
  assert.equal(client.session.token, 's2');
  const { public_key } = sent?.key ?? assert.fail();
  assert.ok(createPublicKey({ key: Buffer.from(public_key, 'base64'), format: 'der', type: 'spki' }));
  assert.equal(await client.keyFingerprint(), await fingerprint(public_key));
  assert.match(recoveryCode, /^(\w{4}-){12}\w{4}$/);
});

test('the portal client seals no passphrase to a recovery key that was not confirmed', async () => {
  await using portal = await fakePortal();
  const genuine = portal.saved().recovery_key;
  const thief = await generateKeyPair();
  portal.change({ recovery_key: { ...genuine, public_key: thief.publicKey } });
  const service = { name: 'Shop', adminEmail: 'a@acme.example' };
  const isRefused = (errorKey: string) => (error: unknown) => {
    assert.ok(error instanceof UnconfirmedKeyError);
    assert.equal(error.errorKey, errorKey);
    assert.match(String(error.details.words), /^[a-z]+ [a-z]+ [a-z]+ [a-z]+$/);
    return true;
  };
  await assert.rejects(portal.client.createService(service), isRefused('sdk.recovery_key_changed'));
  await assert.rejects(portal.client.replaceServiceKey('svc'), isRefused('sdk.recovery_key_changed'));
  const pinned = await PortalClient.signIn(portal.access);
  await assert.rejects(pinned.createService(service), isRefused('sdk.recovery_key_changed'));
  portal.forgetPins();
  const unpinned = await PortalClient.signIn(portal.access);
  await assert.rejects(unpinned.createService(service), isRefused('sdk.recovery_key_unconfirmed'));
  assert.equal(portal.services.length, 0);
  await assert.rejects(unpinned.confirmRecoveryKey('abc'), ConfigurationError);
  await unpinned.confirmRecoveryKey((await fingerprint(genuine.public_key)).toUpperCase());
  await assert.rejects(unpinned.createService(service), isRefused('sdk.recovery_key_changed'));
  portal.change({ recovery_key: genuine });
  assert.equal((await unpinned.createService(service)).service.id, 'svc');
  const again = await PortalClient.signIn(portal.access);
  assert.equal((await again.createService(service)).service.id, 'svc', 'its login has confirmed the key');
});

test('the keys that a login has confirmed are encrypted, and an older list is refused', async () => {
  await using portal = await fakePortal();
  const sha256 = await fingerprint(portal.saved().recovery_key.public_key);
  const first = portal.pins();
  assert.ok(!portal.platform.requests.some(({ text }) => text.includes(sha256)));
  await portal.client.confirmRecoveryKey('0'.repeat(64));
  const lastPinsCounter = portal.client.pinsCounter;
  assert.equal(lastPinsCounter, 2);
  portal.setPins(first);
  const access = { ...portal.access, lastPinsCounter };
  const older = await PortalClient.signIn(access);
  await assert.rejects(older.recoveryKeyFingerprint(), { errorKey: 'sdk.pins_outdated' });
  portal.setPins({ ...first, counter: 2 });
  const renumbered = await PortalClient.signIn(access);
  await assert.rejects(renumbered.recoveryKeyFingerprint(), { errorKey: 'sdk.pins_tampered' });
  portal.forgetPins();
  const none = await PortalClient.signIn(access);
  await assert.rejects(none.recoveryKeyFingerprint(), { errorKey: 'sdk.pins_outdated' });
});

test('the recovery key is shared only with the key whose fingerprint was confirmed', async () => {
  await using portal = await fakePortal();
  const [ben, thief] = await Promise.all([generateKeyPair(), generateKeyPair()]);
  let public_key = thief.publicKey;
  const address = '/api/account/recovery-key/holders';
  portal.platform.route(`GET ${address}`, () => ({ body: { items: [{ login_id: 'ben', public_key }] } }));
  let shared: ShareRecoveryKeyRequest | undefined;
  portal.platform.route(`PUT ${address}/ben`, ({ json }) => {
    shared = json();
    return { status: 204 };
  });
  const holder = { loginId: 'ben', confirmedFingerprint: await fingerprint(ben.publicKey) };
  const share = () => portal.client.recovery.share(holder, async () => ({ password: PASSWORD }));
  await assert.rejects(share(), { errorKey: 'sdk.holder_key_changed' });
  assert.equal(shared, undefined);
  public_key = ben.publicKey;
  await share();
  const { sealed, public_key_sha256 } = shared ?? assert.fail();
  assert.equal(public_key_sha256, holder.confirmedFingerprint);
  const copy = await openText(sealed, await importPrivateKey(ben.privateKey));
  const recoveryKey = await importPrivateKey(Buffer.from(copy, 'base64'));
  const probe = await sealValue('x', portal.saved().recovery_key.public_key);
  assert.equal(await openText(probe, recoveryKey), 'x');
});

test("a service's private key is read with a proof that is good for this request", async () => {
  await using portal = await fakePortal();
  const asked: string[] = [];
  portal.platform.route('POST /api/account/proofs', ({ json }) => {
    asked.push(json<{ for: string }>().for);
    return { status: 201, body: { proof: 'p1', expires_at: 'x' } };
  });
  portal.platform.route('GET /api/services/svc/private-key', ({ headers }) => ({
    body: { proof: headers['x-platform-proof'] },
  }));
  const key: unknown = await portal.client.privateKey('svc', { password: PASSWORD });
  assert.deepEqual(key, { proof: 'p1' });
  assert.deepEqual(asked, ['GET /api/services/svc/private-key']);
});

test('an owner moves the company to another region and reads the progress', async () => {
  await using portal = await fakePortal();
  const move = { id: 'm', from: 'eu', to: 'us', status: 'under_way', started_at: 'x', ended_at: null };
  portal.platform.route('POST /api/profile/migrate-region', () => ({ status: 202, body: move }));
  portal.platform.route('GET /api/profile/migrate-region', () => ({ body: null }));
  assert.deepEqual(await portal.client.migrateRegion('us', { password: PASSWORD, code: '123456' }), move);
  const sent = JSON.parse(portal.platform.requests.at(-1)?.text ?? '');
  const { login_secret } = portal.saved();
  assert.deepEqual(sent, { login_secret, code: '123456', region: 'us' });
  assert.equal(await portal.client.regionMigration(), null);
});

test('the portal client creates the keys of a service itself, and never sends the passphrase that opens the PEM', async () => {
  await using portal = await fakePortal();
  const { service, passphrase, pem } = await portal.client.createService({
    name: 'Shop',
    adminEmail: 'a@acme.example',
  });
  assert.equal(service.id, 'svc');
  const key = createPrivateKey({ key: pem, passphrase });
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
  const [sent] = portal.services;
  assert.equal(sent?.public_key, spki);
  assert.equal(sent?.private_key_pem, pem);
  assert.equal(sent?.encrypted_private_key.iter, 100_000);
  for (const { text } of portal.platform.requests) assert.ok(!text.includes(passphrase));
});

test('recovery copies open with the key of the login, and a copy of another key is refused', async () => {
  await using portal = await fakePortal();
  const { passphrase } = await portal.client.createService({ name: 'Shop', adminEmail: 'a@acme.example' });
  const open = () => portal.client.recovery.secrets({ password: PASSWORD });
  const [copy] = await open();
  assert.deepEqual([copy?.kind, copy?.serviceId, copy?.secret], ['service_passphrase', 'svc', passphrase]);
  await assert.rejects(portal.client.recovery.secrets({ password: 'wrong password' }), AuthenticationError);
  const [genuine, other] = [portal.saved().recovery_key, await generateKeyPair()];
  const mine = portal.saved().key.public_key;
  const sealed = await sealValue(Buffer.from(other.privateKey).toString('base64'), mine);
  portal.change({ recovery_key: { ...genuine, sealed } });
  await assert.rejects(open(), (error) => {
    assert.ok(error instanceof DecryptionError);
    return error.errorKey === 'sdk.recovery_key_damaged';
  });
});

test('publishing uses the current configuration token unless one is given', async () => {
  await using portal = await fakePortal();
  const path = '/api/services/svc/request-fields';
  portal.platform.route(`GET ${path}`, () => ({
    body: { config_token: 'now', version: 1, request_fields: [] },
  }));
  portal.platform.route(`PUT ${path}`, ({ json }) => {
    const { config_token } = json<{ config_token: string }>();
    return config_token === 'now' ? { body: {} } : refusal(409, 'services.config_conflict');
  });
  await portal.client.publishRequestFields('svc', [{ slug: 'mail', label: 'Mail', type: 'email' }]);
  await assert.rejects(portal.client.publishRequestFields('svc', [], 'stale'), ConflictError);
});

test('a portal client sends nothing after it signs out', async () => {
  await using portal = await fakePortal();
  await portal.client.signOut();
  const { length } = portal.platform.requests;
  await assert.rejects(portal.client.account(), AuthenticationError);
  assert.equal(portal.platform.requests.length, length);
});

test('the portal client refuses an invalid address before it derives keys', async () => {
  const access = { baseUrl: 'symbolon.example', email: 'a@b.example', password: PASSWORD };
  await assert.rejects(PortalClient.signIn(access), ConfigurationError);
});
