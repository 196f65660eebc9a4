import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { registerCompany, registerPerson, type TestCompany } from '@symbolon/testkit/actors/actors';
import { WRONG_SECRET } from '@symbolon/testkit/actors/portal-logins';
import { Listener } from '@symbolon/testkit/platform/event-stream';
import { onPlatform, startPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { startNginx, type TestProxy } from '@symbolon/testkit/servers/proxies';
import { without } from '@symbolon/testkit/tools';

const forwardedFor = (value: string) => ({ 'x-forwarded-for': value });

function signIn(base: string, email: string, login_secret: string, forged: string): Promise<Response> {
  return fetch(`${base}/api/portal/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...forwardedFor(forged) },
    body: JSON.stringify({ email, login_secret }),
  });
}

async function guesses(base: string, email: string, forgedBy: (index: number) => string) {
  const statuses: number[] = [];
  for (let index = 0; index < 40; index++)
    statuses.push((await signIn(base, email, WRONG_SECRET, forgedBy(index))).status);
  const count = (status: number) => statuses.filter((one) => one === status).length;
  return { wrong: count(401), throttled: count(429) };
}

describe('behind nginx', { skip: without('nginx') }, () => {
  let platform: TestPlatform & { stop(): Promise<void> };
  let nginx: TestProxy;
  let company: TestCompany;
  before(async () => {
    platform = await startPlatform('sqlite', { SYMBOLON_TRUST_PROXY: 'true', SYMBOLON_RATE_TOKEN: '20' });
    nginx = await startNginx(platform.url, 'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;');
    company = await registerCompany(platform);
  });
  after(async () => {
    await nginx.stop();
    await platform.stop();
  });

  test('an address that the caller writes changes no limit', async () => {
    const answers = await guesses(nginx.url, company.email, (index) => `10.9.8.${index}`);
    assert.deepEqual(answers, { wrong: 10, throttled: 30 });
    const tokens: number[] = [];
    for (let index = 0; index < 40; index++) {
      const answer = await fetch(`${nginx.url}/oauth2/token`, {
        method: 'POST',
        headers: forwardedFor(`10.9.8.${index}`),
        body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'a', client_secret: 'b' }),
      });
      tokens.push(answer.status);
    }
    assert.equal(tokens.filter((status) => status === 401).length, 20);
    assert.equal(tokens.filter((status) => status === 429).length, 20);
  });

  test('the event stream brings each signal at once, though nginx collects answers', async () => {
    const person = await registerPerson(platform);
    using device = await Listener.open(nginx, person);
    for (const [index, id] of ['one', 'two', 'three'].entries()) {
      platform.context.personSignals.tell(person.id, { kind: 'two_factor_challenge', id });
      await device.heard(index + 1);
      assert.deepEqual(device.events[index]?.data, { id });
    }
    assert.ok(!device.ended);
  });

  test('the audit log has the address that nginx saw', async () => {
    const { email, loginSecret, token } = await registerCompany(platform);
    const sources = async () => {
      const { items } = await platform.must('GET', '/api/account/audit-log', { token });
      return items.map(({ actor }: { actor: { source: string } }) => actor.source).slice(0, 2);
    };
    const forged = '<script>alert(1)</script>, 203.0.113.77';
    assert.equal((await signIn(nginx.url, email, loginSecret, forged)).status, 200);
    // Straight to the platform, as a proxy that forwards the header it received.
    assert.equal((await signIn(platform.url, email, loginSecret, '<script>alert(1)</script>')).status, 200);
    assert.deepEqual(await sources(), ['127.0.0.1', '127.0.0.1']);
    assert.equal((await signIn(platform.url, email, loginSecret, forged)).status, 200);
    assert.deepEqual(await sources(), ['203.0.113.77', '127.0.0.1']);
  });
});

onPlatform(
  'with trusted networks',
  (platform) => {
    test('the caller is the first from the right that is no trusted proxy', async () => {
      const { email } = await registerCompany(platform());
      const through = (index: number) => `10.9.8.${index}, 203.0.113.9, 192.168.7.1`;
      assert.deepEqual(await guesses(platform().url, email, through), { wrong: 10, throttled: 30 });
      const other = await signIn(platform().url, email, WRONG_SECRET, '203.0.113.10, 192.168.7.1');
      assert.equal(other.status, 401, await other.text());
    });
  },
  { SYMBOLON_TRUST_PROXY: '127.0.0.0/8,::1,192.168.0.0/16' },
);

onPlatform('without a trusted proxy', (platform) => {
  test('the header is not read', async () => {
    const { email } = await registerCompany(platform());
    const answers = await guesses(platform().url, email, (index) => `203.0.113.${index}`);
    assert.deepEqual(answers, { wrong: 10, throttled: 30 });
  });

  test('the issuer is one, by whatever name somebody calls', async () => {
    const { port } = new URL(platform().url);
    for (const host of [
      `localhost:${port}`,
      `127.0.0.1:${port}`,
      `[::1]:${port}`,
      'localhost',
      'evil.example',
      '127.0.0.1.evil.example',
      'localhost:80@evil.example',
    ]) {
      const { issuer } = JSON.parse((await answerTo(platform().url, host)).body);
      assert.equal(issuer, platform().url, host);
    }
  });
});

/** The metadata document, asked for by some name of the host. */
async function answerTo(base: string, host: string): Promise<{ body: string }> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    const path = '/.well-known/oauth-authorization-server';
    request(`${base}${path}`, { headers: { host } }, (answer) => {
      let body = '';
      answer.on('data', (chunk) => {
        body += chunk;
      });
      answer.on('end', () => resolve({ body }));
    })
      .on('error', reject)
      .end();
  });
}
