import assert from 'node:assert/strict';
import { createSecretKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, test } from 'node:test';
import { createService, registerCompany, registerPerson } from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { OPERATOR } from '@symbolon/testkit/platform/places';
import type { TestPlatform } from '@symbolon/testkit/platform/platform';
import { startRegions, withRegions } from '@symbolon/testkit/platform/regions';
import { PlatformError } from '../../../core/errors.ts';
import type { KeyPurpose } from '../../../core/key-ring.ts';
import { bodyDigest } from '../../../http/signed-bodies.ts';
import { configuredKeys, derivedKeys } from './peer-keys.ts';
import { PeerTokens } from './peer-tokens.ts';
import { seenCalls } from './seen-calls.ts';

interface Client {
  client_id: string;
  client_secret: string;
}

async function ask(base: string, path: string, init: RequestInit = {}) {
  const response = await fetch(`${base}${path}`, init);
  const text = await response.text();
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  let body: any;
  try {
    body = JSON.parse(text);
  } catch {}
  return { status: response.status, body };
}
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const post = (body: unknown) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const tokenForm = ({ client_id, client_secret }: Client) => ({
  method: 'POST',
  body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }),
});
const assertRebase = ({ status, body }: Awaited<ReturnType<typeof ask>>, base: string) =>
  assert.deepEqual([status, body.error_key, body.api_url], [421, 'region.rebase_required', base]);

withRegions('the front door', ['eu', 'us'], (regions) => {
  test("has no operator's routes, whatever token is shown", async () => {
    const headers = { authorization: `Bearer ${OPERATOR}` };
    const answer = await fetch(`${regions().url}/api/admin/companies`, { headers });
    assert.equal(answer.status, 404);
    assert.equal((await answer.json()).error_key, 'request.not_found');
  });

  const eu = () => regions().region('eu');
  const us = () => regions().region('us');

  async function machine(region: TestPlatform) {
    const company = await registerCompany(region, 'Acme');
    const service = await createService(region, company);
    const client: Client = await region.must('POST', `/api/services/${service.id}/client`, {
      token: company.token,
    });
    return { company, service, client };
  }

  for (const state of ['writes_paused', 'out_of_order'] as const) {
    test(`tokens are issued while the home region is kept from work: ${state}`, async () => {
      const { client } = await machine(us());
      const { maintenance, database } = us().context;
      const set = async (on: boolean) => {
        await database.write((writer) => maintenance.set(writer, state, on, null));
        await maintenance.apply();
      };
      await set(true);
      try {
        for (const base of [regions().url, us().url, eu().url]) {
          const granted = await ask(base, '/oauth2/token', tokenForm(client));
          assert.equal(granted.status, 200, `${base} ${JSON.stringify(granted.body)}`);
          assert.equal(granted.body.api_url, us().url);
        }
      } finally {
        await set(false);
      }
    });
  }

  test('the home region issues a token, whichever region is asked, and only there it is valid', async () => {
    const { client } = await machine(us());
    for (const base of [regions().url, us().url, eu().url]) {
      const granted = await ask(base, '/oauth2/token', tokenForm(client));
      assert.equal(granted.status, 200);
      assert.equal(granted.body.api_url, us().url);
      const token = bearer(granted.body.access_token);
      assert.equal((await ask(us().url, '/api/company-data/whoami', token)).status, 200);
      for (const wrong of [regions().url, eu().url]) {
        assertRebase(await ask(wrong, '/api/company-data/whoami', token), us().url);
      }
    }
  });

  test('every region and the front door refuse wrong credentials in the same way', async () => {
    const { client } = await machine(us());
    const answers = new Set<string>();
    for (const base of [regions().url, us().url, eu().url]) {
      for (const wrong of [
        { ...client, client_secret: 'x' },
        { client_id: 'svc_nobody', client_secret: 'x' },
        { client_id: `${client.client_id.slice(0, -4)}AAAA`, client_secret: client.client_secret },
      ]) {
        const { status, body } = await ask(base, '/oauth2/token', tokenForm(wrong));
        answers.add(JSON.stringify([status, body]));
      }
    }
    assert.equal(answers.size, 1);
    assert.match([...answers][0] ?? '', /^\[401,.*invalid_client/);
  });

  test('a refusal of the token route keeps its error key when another region gave it', async () => {
    const { client } = await machine(us());
    for (const base of [regions().url, eu().url]) {
      const answer = await ask(base, '/oauth2/token', {
        method: 'POST',
        body: new URLSearchParams({ ...client, grant_type: 'refresh_token' }),
      });
      assert.deepEqual([answer.status, answer.body.error_key], [400, 'unauthorized_client']);
      const empty = await ask(base, '/oauth2/token', { method: 'POST', body: new URLSearchParams() });
      assert.deepEqual([empty.status, empty.body.error_key], [400, 'invalid_request']);
    }
  });

  test('a region that does not answer is reported as unavailable, not as a refusal', async () => {
    const client = { client_id: 'svc_nobody', client_secret: 'x' };
    const { peers } = us().context;
    assert.ok(peers !== undefined);
    await assert.rejects(peers.call({ region: 'mars' }, { method: 'GET', path: '/api/health' }), {
      key: 'region.unavailable',
    });
    assert.equal((await ask(us().url, '/oauth2/token', tokenForm(client))).status, 401);
  });

  test('a region that cannot look into its own clients does not have the others refuse them', async (t) => {
    t.mock.method(us().context.clients, 'authenticate', () =>
      Promise.reject(new PlatformError('platform.busy')),
    );
    const client = { client_id: 'svc_nobody', client_secret: 'x' };
    assert.equal((await ask(us().url, '/oauth2/token', tokenForm(client))).status, 503);
  });

  test('the front door refuses invalid and expired tokens and does not forward them', async () => {
    const { client } = await machine(us());
    const granted = await ask(regions().url, '/oauth2/token', tokenForm(client));
    const token: string = granted.body.access_token;
    const forged = await ask(regions().url, '/api/company-data/whoami', bearer(`${token.slice(0, -4)}AAAA`));
    assert.deepEqual([forged.status, forged.body.error_key], [401, 'auth.invalid']);
    regions().clock.advance(3_700_000);
    const late = await ask(regions().url, '/api/company-data/whoami', bearer(token));
    assert.deepEqual([late.status, late.body.error_key], [401, 'auth.expired']);
  });

  test('an address that is nothing is that for every caller, also for one whose token is of another region', async () => {
    const { client, company } = await machine(eu());
    const { body } = await ask(eu().url, '/oauth2/token', tokenForm(client));
    const person = await registerPerson(us());
    for (const token of [body.access_token, company.token, person.token]) {
      for (const base of [regions().url, us().url]) {
        const answer = await ask(base, '/nothing', bearer(token));
        // Known callers may learn more: a machine, that it may not; a company, its home.
        assert.ok([404, 403, 421].includes(answer.status), `${base} ${answer.status}`);
      }
      const answer = await ask(regions().url, '/nothing', bearer(token));
      assert.deepEqual([answer.status, answer.body.error_key], [404, 'request.not_found']);
    }
  });

  test('the front door redirects a portal session to its home region', async () => {
    const { company } = await machine(us());
    assertRebase(await ask(regions().url, '/api/account', bearer(company.token)), us().url);
    assertRebase(await ask(regions().url, '/api/services?limit=10', bearer(company.token)), us().url);
    const cookie = await ask(regions().url, '/api/account', {
      headers: { cookie: 'symbolon_session=sps_nobody' },
    });
    assert.deepEqual([cookie.status, cookie.body.error_key], [401, 'auth.invalid']);
  });

  test('people and companies sign in at home, and unknown addresses get the same kind of answer', async () => {
    const company = await registerCompany(us());
    const signIn = { email: company.email.toUpperCase(), login_secret: company.loginSecret };
    assertRebase(await ask(eu().url, '/api/portal/sign-in', post(signIn)), us().url);
    for (const base of [regions().url, us().url]) {
      assert.equal((await ask(base, '/api/portal/sign-in', post(signIn))).status, 200);
    }
    for (let index = 0; index < 8; index++) {
      const nobody = { email: `nobody-${index}@example.com`, login_secret: company.loginSecret };
      const answers = await Promise.all(
        [eu(), us()].map(({ url }) => ask(url, '/api/portal/sign-in', post(nobody))),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [401, 421], 'it has one home');
      const refused = answers.find(({ status }) => status === 401);
      const passed = await ask(regions().url, '/api/portal/sign-in', post(nobody));
      assert.deepEqual([passed.status, passed.body], [401, refused?.body]);
    }
  });

  test('a program without a credential is sent to the first region', async () => {
    assertRebase(await ask(regions().url, '/api/contact-field-types'), eu().url);
    assertRebase(await ask(regions().url, '/api/services', post({})), eu().url);
  });

  test('an e-mail address can register only once in all regions', async () => {
    const person = await registerPerson(eu());
    await assert.rejects(registerPerson(us(), 'Bea', person.email), /409 .*account\.email_taken/);
  });

  test('an unused claim is released, and a claim in use stays', async () => {
    const { directory } = us().context;
    const service = regions().frontDoor.directoryService as NonNullable<
      ReturnType<typeof regions>['frontDoor']['directoryService']
    >;
    const lost = { kind: 'company', id: 'nobody' } as const;
    const free = { kind: 'portal_email', name: 'lost@example.com' } as const;
    assert.deepEqual(await directory.claim(lost, [free]), []);
    const company = await registerCompany(us());
    const owner = { kind: 'company', id: company.id } as const;
    const used = { kind: 'portal_email', name: company.email } as const;
    assert.deepEqual(await directory.claim({ kind: 'company', id: 'other' }, [free, used]), [free, used]);
    regions().clock.advance(6 * 60_000);
    const asked: string[] = [];
    await service.settleClaims((region, of, names) => {
      asked.push(of.id);
      return regions().region(region).context.names.held(of, names);
    });
    assert.deepEqual([asked.includes(lost.id), asked.includes(company.id)], [true, false]);
    assert.equal(await directory.find(free), undefined);
    assert.equal(await directory.homeOf(lost), undefined);
    assert.deepEqual(await directory.find(used), { owner, region: 'us' });
  });

  test('owners that are older than the directory are registered in it', async () => {
    const company = await registerCompany(us());
    const person = await registerPerson(us());
    const service = regions().frontDoor.directoryService as NonNullable<
      ReturnType<typeof regions>['frontDoor']['directoryService']
    >;
    const owners = [
      [
        { kind: 'company', id: company.id },
        { kind: 'portal_email', name: company.email },
      ],
      [
        { kind: 'company', id: company.id },
        { kind: 'share_code', name: company.code },
      ],
      [
        { kind: 'person', id: person.id },
        { kind: 'person_email', name: person.email },
      ],
      [
        { kind: 'person', id: person.id },
        { kind: 'share_code', name: person.shareCode },
      ],
    ] as const;
    for (const [owner] of owners) await service.release(owner);
    for (const [, name] of owners) assert.equal(await service.find(name), undefined);
    await us().context.nameBackfill.run(new AbortController().signal);
    for (const [owner, name] of owners) {
      assert.deepEqual(await service.find(name), { owner, region: 'us' });
    }
  });

  test('the front door lists the regions and what the token route offers', async () => {
    const list = await ask(regions().url, '/api/regions');
    proves('route:GET /api/regions');
    assert.deepEqual(list.body, {
      regions: [
        { name: 'eu', api_url: eu().url },
        { name: 'us', api_url: us().url },
      ],
    });
    const metadata = await ask(regions().url, '/.well-known/oauth-authorization-server');
    assert.equal(metadata.body.token_endpoint, `${regions().url}/oauth2/token`);
    assert.equal((await ask(regions().url, '/oauth2/jwks')).status, 200);
    assert.equal((await ask(regions().url, '/api/health')).status, 200);
    const document = await ask(regions().url, '/openapi.json');
    assert.deepEqual(
      document.body.servers.map((server: { url: string }) => server.url),
      [eu().url, us().url],
    );
    assert.ok(document.body.paths['/api/company-data/changes'] !== undefined);
    for (const page of ['/', '/errors', '/explorer'])
      assert.equal((await ask(regions().url, page)).status, 200, page);
    const opened = await ask(regions().url, '/', { headers: { accept: 'text/html' } });
    assert.equal(opened.status, 200);
  });

  describe('a call of another region', () => {
    const path = '/internal/directory/claim';
    const claim = { owner: { kind: 'company', id: 'x' }, names: [] };
    const signedFor = (
      {
        body = claim,
        method = 'POST',
        url = path,
        to = 'front-door',
      }: Partial<Record<'method' | 'url' | 'to', string> & { body: unknown }> = {},
      tokens = us().context.peerTokens,
    ) => tokens.mint(to, { method, url, body: bodyDigest(JSON.stringify(body)) });
    const send = async (token: string | undefined, body: unknown = claim) => {
      const { headers, ...rest } = post(body);
      const authorization = token === undefined ? undefined : { authorization: `Bearer ${token}` };
      return ask(regions().url, path, { ...rest, headers: { ...headers, ...authorization } });
    };

    test('is answered when it is signed for just that call', async () => {
      assert.equal((await send(signedFor())).status, 200);
      for (const [what, token] of [
        ['nothing', undefined],
        ['nonsense', 'peer_nonsense'],
        ['no signature', 'peer_e30.AAAA'],
        ['another region', signedFor({ to: 'eu' })],
        ['another method', signedFor({ method: 'GET' })],
        ['another path', signedFor({ url: '/openapi.json' })],
        ['another query', signedFor({ url: `${path}?x=1` })],
        ['another body', signedFor({ body: { ...claim, names: [{ kind: 'share_code', name: 'X' }] } })],
        ['a longer signature', `${signedFor()}A`],
        ['a third part', `${signedFor()}.junk`],
      ] as const) {
        const answer = await send(token);
        assert.deepEqual([answer.status, answer.body.error_key], [401, 'auth.invalid'], what);
      }
    });

    test('is answered once, and only while it is new', async () => {
      const token = signedFor();
      assert.equal((await send(token)).status, 200);
      assert.equal((await send(token)).status, 401);
      const [last, stale] = [signedFor(), signedFor()];
      regions().clock.advance(60_000);
      assert.equal((await send(last)).status, 200);
      regions().clock.advance(1);
      assert.equal((await send(stale)).status, 401);
    });

    test('is answered once by all processes that share a database', async () => {
      const seen = [seenCalls(us().context), seenCalls(us().context)] as const;
      const at = us().clock.now();
      const call = (id: string) => ({ id, from: 'eu', at, expiresAt: at + 1000 });
      assert.equal(await seen[0].note(call('one')), true);
      // The one process of an embedded database has them in memory.
      const other = us().context.database.engine === 'postgres' ? seen[1] : seen[0];
      assert.equal(await other.note(call('one')), false);
      assert.equal(await other.note(call('two')), true);
      us().clock.advance(1001);
      await other.sweep();
      assert.equal(await other.note(call('one')), true);
    });

    test('is answered once across a restart, whatever the clock of the caller says', async () => {
      const { clock } = regions();
      const { keys } = us().context.secrets;
      const names = new Set(['us', 'front-door']);
      const process = (own: string, aheadMs = 0) =>
        new PeerTokens({
          clock: { now: () => clock.now() + aheadMs },
          keys: derivedKeys(names, keys),
          seen: seenCalls(us().context),
          own,
          audiences: [own],
        });
      const call = { method: 'GET', url: '/x', body: bodyDigest('') };
      for (const aheadMs of [-20_000, 0, 20_000]) {
        const mint = () => process('us', aheadMs).mint('front-door', call);
        const answered = mint();
        const peer = await process('front-door').verify(answered, call);
        assert.equal(peer?.region, 'us', `${aheadMs}: before`);
        clock.advance(1000);
        const restarted = process('front-door');
        assert.equal(await restarted.verify(answered, call), undefined, `${aheadMs}: again`);
        const other = await restarted.verify(mint(), call);
        assert.equal(other?.region, 'us', `${aheadMs}: a new one is answered`);
      }
    });

    test('is not one of a company, and a token of a region names its caller to no other region', async () => {
      const { company } = await machine(us());
      const asCompany = await us().call('POST', '/internal/token', {
        token: company.token,
        body: { form: '' },
      });
      assert.deepEqual([asCompany.status, asCompany.body.error_key], [403, 'auth.forbidden']);
    });

    test('can be signed with a key that only the caller has', async () => {
      const pair = (): { privateKey: KeyObject; publicKey: KeyObject } => generateKeyPairSync('x25519');
      const [front, eu, usOld, usNew] = [pair(), pair(), pair(), pair()];
      const publicKeys = [
        { region: 'front-door', key: front.publicKey },
        { region: 'eu', key: eu.publicKey },
        { region: 'us', key: usOld.publicKey },
        { region: 'us', key: usNew.publicKey },
      ];
      const of = (own: string, { privateKey }: { privateKey: KeyObject }) =>
        new PeerTokens({
          clock: regions().clock,
          keys: configuredKeys({ privateKey, publicKeys }),
          seen: { note: async () => true, sweep: async () => {} },
          own,
          audiences: [own],
        });
      const verifier = of('front-door', front);
      const call = { method: 'GET', url: '/x', body: bodyDigest('') };
      for (const key of [usOld, usNew]) {
        const peer = await verifier.verify(of('us', key).mint('front-door', call), call);
        assert.equal(peer?.region, 'us', 'both keys count while a key is changed');
      }
      const forged = of('us', eu).mint('front-door', call);
      assert.equal(await verifier.verify(forged, call), undefined, 'a region cannot speak for another');
    });

    test('finds a key that both sides have while keys are changed', async () => {
      const { secrets, peers } = us().context;
      assert.ok(peers !== undefined);
      // This region has changed to a version that the front door does not have.
      const version = 2;
      const { keys } = secrets;
      const [current, versions] = [keys.current, keys.versions];
      const [key, has] = [keys.key.bind(keys), keys.has.bind(keys)];
      Object.defineProperty(keys, 'current', { value: version, configurable: true });
      Object.defineProperty(keys, 'versions', { value: [...versions, version], configurable: true });
      Object.defineProperty(keys, 'has', {
        value: (wanted: number) => wanted === version || has(wanted),
        configurable: true,
      });
      Object.defineProperty(keys, 'key', {
        value: (purpose: KeyPurpose, wanted: number) =>
          wanted === version ? createSecretKey(Buffer.alloc(32, 7)) : key(purpose, wanted),
        configurable: true,
      });
      try {
        const answer = await peers.call('front-door', { method: 'POST', path, body: claim });
        assert.equal(answer.status, 200);
      } finally {
        for (const name of ['current', 'versions', 'has', 'key'] as const) Reflect.deleteProperty(keys, name);
      }
      assert.equal(keys.current, current);
    });
  });
});

test('the front door has the OpenAPI document while one region serves', async () => {
  await using regions = await startRegions('sqlite', ['eu', 'us']);
  await regions.region('eu').stop();
  const { status, body } = await ask(regions.url, '/openapi.json');
  assert.equal(status, 200);
  assert.ok(body.paths['/api/company-data/changes'] !== undefined);
});
