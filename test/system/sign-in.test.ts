import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { generateKeyPair } from '@symbolon/crypto';
import type { BegunConsent, ConsentRequest, OpenedConsent } from '@symbolon/protocol';
import { PersonClient } from '@symbolon/sdk/person';
import { type PendingSignIn, SignInClient } from '@symbolon/sdk/sign-in';
import { createService, registerCompany } from '@symbolon/testkit/actors/actors';
import { onPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { createSite } from '../../examples/sign-in/server.ts';

/* A site signs a person in: the SDK of each side against the real platform. */

const PASSWORD = 'correct horse battery';
const REDIRECT_URI = 'https://shop.example/cb';

onPlatform('signing in at a site', (platform) => {
  let people = 0;

  const newPerson = async () => {
    const email = `ada${++people}@example.com`;
    const access = { baseUrl: platform().url, email, password: PASSWORD, displayName: 'Ada' };
    const { client } = await PersonClient.register(access);
    await client.createField({ type: 'email', slug: 'mail', label: 'Mail', value: email });
    return { client, email };
  };

  /** An app with its own key pair. */
  const newSite = async (settings: object = {}) => {
    const company = await registerCompany(platform());
    const service = await createService(platform(), company, [{ slug: 'note', label: 'Note', type: 'text' }]);
    const { publicKey, privateKey } = await generateKeyPair();
    const body = {
      name: 'Web shop',
      redirect_uris: [REDIRECT_URI],
      public_key: publicKey,
      service_id: service.id,
      ...settings,
    };
    const { token } = company;
    const app = await platform().must('POST', '/api/account/oauth-apps', { token, body });
    const options = {
      url: platform().url,
      clientId: app.client_id as string,
      ...(app.client_secret === null ? {} : { clientSecret: app.client_secret as string }),
      redirectUri: REDIRECT_URI,
      privateKey: { pkcs8: privateKey },
      runtime: { now: () => platform().clock.now() },
    };
    return { site: new SignInClient(options), options };
  };

  /** What the page does with the address that the site made. */
  const opened = async (person: PersonClient, { url }: PendingSignIn) => {
    const request = shown(await person.consent.open(new URL(url).search));
    return { request, begun: await person.consent.begin(request) };
  };
  const approve = async (
    { consent }: PersonClient,
    { request, begun }: { request: ConsentRequest; begun: BegunConsent },
    approval: Parameters<PersonClient['consent']['approve']>[2] = {},
  ): Promise<string> => {
    const decided = await consent.approve(request, begun, approval);
    return 'redirect_to' in decided ? decided.redirect_to : '';
  };

  test('the site gets the claims, opened and checked, and knows who it is', async () => {
    const [{ site, options }, { client, email }] = await Promise.all([newSite(), newPerson()]);
    const [field] = await client.fields();
    assert.ok(field);
    await client.startVerification(field.id);
    await client.confirmVerification(field.id, await mailedCode(platform(), email));
    const claims = [{ name: 'mail', type: 'email', required: true, verified: true } as const];
    const pending = site.begin({ scope: 'openid', claims });
    const callback = await approve(client, await opened(client, pending), {
      claims: { mail: { field: 'mail' } },
    });
    const person = await site.complete(callback, pending);
    assert.equal(person.subject, client.person.share_code);
    assert.deepEqual([person.mode, person.twoFactor, person.idToken?.sub], ['oidc', false, person.subject]);
    const { mail } = person.claims;
    assert.deepEqual([mail?.value, mail?.verified?.method], [email, 'email_code']);
    await assert.rejects(site.complete(callback, pending), { errorKey: 'invalid_grant' });
    // Without the key nothing can be read.
    const { privateKey, ...keyless } = options;
    const blind = new SignInClient(keyless);
    const again = blind.begin({ mode: 'one_time', claims: [{ name: 'mail', type: 'email' }] });
    const back = await approve(client, await opened(client, again), { claims: { mail: { field: 'mail' } } });
    assert.deepEqual(
      { ...(await blind.complete(back, again)).claims },
      {
        mail: { value: undefined, verified: undefined },
      },
    );
  });

  test('the example signs a person in, by the cookie of the browser that began', async (t) => {
    const company = await registerCompany(platform());
    const origin = 'http://localhost:3000';
    const { client_id: clientId, client_secret: clientSecret } = await platform().must(
      'POST',
      '/api/account/oauth-apps',
      { token: company.token, body: { name: 'Example', redirect_uris: [`${origin}/cb`] } },
    );
    const { url } = platform();
    const site = createSite({ url, clientId, clientSecret, origin });
    t.after(() => site.close());
    const get = async (path: string, cookie?: string) => {
      const answer = await site.inject({ url: path, headers: cookie === undefined ? {} : { cookie } });
      return { ...answer, answer, sid: String(answer.headers['set-cookie'] ?? '').split(';', 1)[0] };
    };
    const begun = await get('/login');
    const { client } = await newPerson();
    const page = { url: String(begun.answer.headers.location) } as PendingSignIn;
    const callback = await approve(client, await opened(client, page));
    const path = callback.slice(origin.length);
    const elsewhere = await get('/login');
    assert.equal((await get(path)).answer.statusCode, 400, 'another browser');
    assert.equal((await get(path, elsewhere.sid)).answer.statusCode, 500, 'a sign-in of another browser');
    const done = await get(path, begun.sid);
    assert.deepEqual([done.answer.statusCode, done.answer.headers.location], [302, '/']);
    assert.notEqual(done.sid, begun.sid);
    assert.match((await get('/', done.sid)).answer.body, new RegExp(client.person.share_code));
    assert.equal((await get(path, begun.sid)).answer.statusCode, 400, 'once');
  });

  test('an answer that is not to this sign-in, or of another platform, is refused', async () => {
    const [{ site }, { client }] = await Promise.all([newSite({ confidential: false }), newPerson()]);
    const pending = site.begin({ mode: 'signin' });
    const callback = await approve(client, await opened(client, pending));
    const changed = (name: string, value: string | undefined) => {
      const url = new URL(callback);
      if (value === undefined) url.searchParams.delete(name);
      else url.searchParams.set(name, value);
      return url;
    };
    for (const answer of [
      changed('iss', 'https://evil.example'),
      changed('iss', undefined),
      changed('state', 'another'),
      changed('state', undefined),
      changed('code', undefined),
      `${callback}&code=injected`,
    ])
      await assert.rejects(site.complete(answer, pending), { errorKey: 'sdk.sign_in_foreign' });
    // A code of another person: PKCE binds it to the sign-in that it was given for.
    const other = site.begin({ mode: 'signin' });
    const injected = changed('state', other.state);
    await assert.rejects(site.complete(injected, other), { errorKey: 'invalid_grant' });
    assert.equal((await site.complete(callback, pending)).subject, client.person.share_code);

    const refused = site.begin({ mode: 'signin' });
    const { request } = await opened(client, refused);
    const decided = await client.consent.refuse(request, { notMe: true });
    assert.ok('redirect_to' in decided);
    await assert.rejects(site.complete(decided.redirect_to, refused), { errorKey: 'oauth.access_denied' });
    const broken = { ...site.begin({ mode: 'signin', claims: [{ name: 'x', type: 'photo' }] }) };
    const told = await client.consent.open(new URL(broken.url).search);
    assert.ok('redirect_to' in told);
    await assert.rejects(site.complete(told.redirect_to, broken), { errorKey: 'sdk.sign_in_refused' });
    const [last] = (await client.consent.signIns()).slice(-1);
    assert.equal(last?.outcome, 'not_me');
  });

  test('the screen of a program without a secret shows digits, and the person types them', async () => {
    const [{ site }, { client }] = await Promise.all([
      newSite({ confidential: false, detached: true }),
      newPerson(),
    ]);
    const pending = site.beginDetached({ mode: 'signin' });
    const asked = await opened(client, pending);
    const { promise, resolve } = Promise.withResolvers<string>();
    const waiting = site.waitForResult(pending, { everyMs: 1, onDigits: resolve });
    await approve(client, asked, { digits: await promise });
    const person = await waiting;
    assert.ok('subject' in person && person.subject === client.person.share_code);
  });

  test('another screen signs in, connects and enrols while the person approves on theirs', async () => {
    const [{ site }, { client }] = await Promise.all([newSite(), newPerson()]);
    const pending = site.beginDetached({ mode: 'connect' });
    assert.equal(await site.poll(pending), undefined);
    const waiting = site.waitForResult(pending, { everyMs: 1 });
    const asked = await opened(client, pending);
    await approve(client, asked, { answers: { note: { value: 'hello' } } });
    const person = await waiting;
    assert.ok('subject' in person);
    assert.deepEqual([person.subject, person.mode], [client.person.share_code, 'connect']);
    await assert.rejects(site.poll(pending), { errorKey: 'oauth.result_expired' });
    assert.equal((await client.connections()).length, 1);

    const enrolment = site.beginDetached({ mode: '2fa_enroll' });
    await approve(client, await opened(client, enrolment));
    assert.deepEqual(await site.waitForResult(enrolment), { enrolled: true });
    const redirected = site.begin({ mode: '2fa_enroll' });
    site.completeEnrolment(await approve(client, await opened(client, redirected)), redirected);

    const declined = site.beginDetached({ mode: 'signin' });
    await client.consent.refuse((await opened(client, declined)).request);
    await assert.rejects(site.waitForResult(declined), { errorKey: 'oauth.access_denied' });
    const forgotten = site.beginDetached({ mode: 'signin' });
    const late = { errorKey: 'sdk.wait_over' };
    await assert.rejects(site.waitForResult(forgotten, { budgetMs: 0 }), late);
    const stopped = new AbortController();
    stopped.abort(new Error('closed'));
    await assert.rejects(site.waitForResult(forgotten, { signal: stopped.signal }), /closed/);
  });
});

function shown(answer: OpenedConsent): ConsentRequest {
  assert.ok('request_id' in answer, JSON.stringify(answer));
  return answer;
}

/** The code of the last mail to an address. */
async function mailedCode({ dataDir }: TestPlatform, address: string): Promise<string> {
  const folder = join(dataDir, 'outbox');
  for (const name of (await readdir(folder)).sort().reverse()) {
    const mail = await readFile(join(folder, name), 'utf8');
    if (mail.includes(address)) return /\b\d{6}\b/.exec(mail)?.[0] ?? '';
  }
  return '';
}
