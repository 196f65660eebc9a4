import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { startPlatform, type TestEnvironment, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { BuiltPages } from './built-pages.ts';

const skip = BuiltPages.open() === undefined ? 'the pages are not built: npm run build:web' : false;

describe('the pages for people', { skip }, () => {
  const withPlatform = async (
    act: (platform: TestPlatform) => Promise<void>,
    environment: TestEnvironment = {},
  ) => {
    const platform = await startPlatform('sqlite', environment);
    await act(platform).finally(() => platform.stop());
  };

  test('the page has a policy without anything unsafe, with a nonce of its own', () =>
    withPlatform(async (platform) => {
      const nonces = new Set<string>();
      for (const path of ['/auth?client_id=x&redirect_uri=y', '/sign-in', '/me/approvals']) {
        const { status, headers, text } = await platform.call('GET', path);
        assert.equal(status, 200, path);
        const policy = headers.get('content-security-policy') ?? '';
        assert.doesNotMatch(policy, /unsafe|\*|https?:/);
        for (const part of [
          "default-src 'none'",
          "frame-ancestors 'none'",
          "connect-src 'self'",
          "base-uri 'none'",
        ])
          assert.ok(policy.includes(part), part);
        const [, nonce = ''] = /style-src 'self' 'nonce-([^']{20,})'/.exec(policy) ?? [];
        assert.ok(text.includes(`nonce="${nonce}"`));
        assert.ok(!text.includes('SYMBOLON_NONCE'));
        nonces.add(nonce);
        const given = [
          'referrer-policy',
          'cross-origin-opener-policy',
          'x-frame-options',
          'x-content-type-options',
        ];
        assert.deepEqual(
          given.map((name) => headers.get(name)),
          ['no-referrer', 'same-origin', 'DENY', 'nosniff'],
        );
      }
      assert.equal(nonces.size, 3);
    }));

  test('the page may call a forwarder of another origin, where there is one', async () => {
    await using platform = await startPlatform('sqlite', {
      SYMBOLON_FORWARDER_URL: 'https://plugins.example.com/carry/',
    });
    const { headers } = await platform.call('GET', '/sign-in');
    const policy = headers.get('content-security-policy') ?? '';
    assert.ok(policy.includes("connect-src 'self' https://plugins.example.com/carry/;"), policy);
  });

  test('thirty people of one address see their first page within a minute, and health is answered beside them', async () => {
    await using platform = await startPlatform('sqlite', {
      SYMBOLON_RATE_DEFAULT: '300',
      SYMBOLON_RATE_PAGES: '6000',
    });
    const FILES_OF_A_VISIT = 60;
    for (let visitor = 0; visitor < 30; visitor++) {
      const answers = await Promise.all([
        platform.call('GET', '/register'),
        platform.call('GET', '/api/health'),
        ...Array.from({ length: FILES_OF_A_VISIT }, () => platform.call('GET', '/icon.svg')),
      ]);
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    }
  });

  test('who opens a page that cannot be shown sees a page that says so, and programs get the error', async () => {
    await using platform = await startPlatform('sqlite', { SYMBOLON_RATE_PAGES: '1' });
    const html = { accept: 'text/html,*/*;q=0.8' };
    assert.equal((await platform.call('GET', '/sign-in', { headers: html })).status, 200);
    const page = await platform.call('GET', '/sign-in', { headers: html });
    proves('rate:pages');
    assert.deepEqual([page.status, page.headers.get('content-type')], [429, 'text/html; charset=utf-8']);
    assert.match(page.text, /Try again in a moment/);
    assert.ok(Number(page.headers.get('retry-after')) > 0);
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    const program = await platform.call('GET', '/sign-in');
    assert.equal(program.body.error_key, 'rate_limit.exceeded');
    const unknown = await platform.call('GET', '/nothing/<b>', { headers: html });
    assert.equal(unknown.status, 404);
    assert.match(unknown.text, /There is no such page/);
    assert.ok(!unknown.text.includes('<b>'));
    const api = await platform.call('GET', '/api/nothing', { headers: html });
    assert.deepEqual([api.status, api.body.error_key], [404, 'request.not_found']);
  });

  test('the address itself is a page for browsers, and stays what it was for programs', () =>
    withPlatform(async (platform) => {
      const opened = await platform.call('GET', '/?from=mail', {
        headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
      });
      assert.equal(opened.status, 200);
      assert.match(opened.text, /<div id="root">/);
      assert.match(opened.headers.get('content-security-policy') ?? '', /default-src 'none'/);
      const read = await platform.call('GET', '/', { headers: { accept: '*/*' } });
      assert.equal(read.status, 200);
      assert.match(read.text, /href="\/openapi.json"/);
      assert.deepEqual(
        [opened, read].map(({ headers }) => headers.get('vary')?.includes('Accept')),
        [true, true],
      );
    }));

  test('a page that has not changed is answered by 304, without a policy whose nonce the kept page does not have', () =>
    withPlatform(async (platform) => {
      const first = await platform.call('GET', '/sign-in');
      const etag = first.headers.get('etag') ?? '';
      const again = await platform.call('GET', '/sign-in', { headers: { 'if-none-match': etag } });
      assert.equal(again.status, 304);
      assert.equal(again.headers.get('content-security-policy'), null);
      await withPlatform(
        async (changed) => {
          const { status } = await changed.call('GET', '/sign-in', { headers: { 'if-none-match': etag } });
          assert.equal(status, 200, 'what the operator changed reaches browsers that have the page');
        },
        { SYMBOLON_HEADER_NAME: 'Harbour' },
      );
    }));

  test('a page names the version that a call without a body is answered with, at every address', () =>
    withPlatform(async (platform) => {
      const versions = new Set<string>();
      for (const path of ['/me', '/sign-in']) {
        const { text } = await platform.call('GET', path);
        const [, version = ''] = /<meta name="symbolon-version" content="([^"]{20,})"/.exec(text) ?? [];
        const head = await fetch(platform.url + path, { method: 'HEAD' });
        assert.deepEqual([head.status, head.headers.get('etag')], [200, `"${version}"`]);
        versions.add(version);
      }
      assert.equal(versions.size, 1);
    }));

  test('every script and style of the page has its integrity, and what scripts load has it by the import map', () =>
    withPlatform(async (platform) => {
      const { text } = await platform.call('GET', '/sign-in');
      const sha384 = async (path: string) => {
        const body = Buffer.from(await (await fetch(platform.url + path)).arrayBuffer());
        return `sha384-${createHash('sha384').update(body).digest('base64')}`;
      };
      const tags = [...text.matchAll(/<(?:script|link)[^>]* (?:src|href)="(\/assets\/[^"]+)"[^>]*>/g)];
      assert.ok(tags.length >= 2);
      for (const [tag, path = ''] of tags)
        assert.equal(/integrity="([^"]+)"/.exec(tag)?.[1], await sha384(path), tag);
      const [, map = '{}'] = /<script type="importmap">(.*?)<\/script>/.exec(text) ?? [];
      const { integrity } = JSON.parse(map) as { integrity: Record<string, string> };
      assert.ok(Object.keys(integrity).length > 5);
      const [path = ''] = Object.keys(integrity);
      assert.equal(integrity[path], await sha384(path));
    }));

  test('what an address shows first is named in its page, for the browser to load it at once', () =>
    withPlatform(async (platform) => {
      const linked = async (path: string) => {
        const { text } = await platform.call('GET', path);
        const head = text.slice(0, text.indexOf('</head>'));
        return [
          ...head.matchAll(/<link rel="modulepreload"[^>]* href="\/assets\/([a-z-]+)-[\w-]{8}\.js"/g),
        ].map(([, name]) => name);
      };
      const consent = await linked('/auth?client_id=x');
      assert.ok(consent.includes('app') && consent.includes('consent-page'), consent.join());
      assert.ok(!consent.includes('security-page'));
      assert.ok((await linked('/me/security')).includes('security-page'));
      assert.ok(!(await linked('/me/constructor')).includes('consent-page'));
      assert.ok((await linked('/portal')).includes('overview-page'));
    }));

  test('pages of people name nothing that companies and operators alone load', () =>
    withPlatform(async (platform) => {
      const named = async (path: string) => {
        const { text } = await platform.call('GET', path);
        const [, map = '{}'] = /<script type="importmap">(.*?)<\/script>/.exec(text) ?? [];
        return Object.keys((JSON.parse(map) as { integrity: object }).integrity).join(' ');
      };
      for (const path of ['/sign-in', '/me', '/auth?client_id=x'])
        assert.doesNotMatch(await named(path), /\/webhooks-page-/, path);
      for (const path of ['/portal', '/portal/services', '/operator'])
        assert.match(await named(path), /\/webhooks-page-/, path);
    }));

  test('a page comes compressed as the caller takes it, with a nonce of its own', () =>
    withPlatform(async (platform) => {
      for (const encoding of ['br', 'gzip', 'identity']) {
        const page = await fetch(`${platform.url}/me`, { headers: { 'accept-encoding': encoding } });
        assert.equal(page.headers.get('content-encoding') ?? 'identity', encoding);
        assert.match(page.headers.get('vary') ?? '', /Accept-Encoding/);
        const [, nonce = ''] =
          /'nonce-([^']{20,})'/.exec(page.headers.get('content-security-policy') ?? '') ?? [];
        assert.ok((await page.text()).includes(`nonce="${nonce}"`));
      }
    }));

  test('files come compressed, for a year, and no other file comes at all', () =>
    withPlatform(async (platform) => {
      const { text } = await platform.call('GET', '/sign-in');
      const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(text) ?? [];
      for (const encoding of ['br', 'gzip', 'identity']) {
        const { headers } = await fetch(platform.url + script, { headers: { 'accept-encoding': encoding } });
        assert.equal(headers.get('content-encoding') ?? 'identity', encoding);
        assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
        assert.equal(headers.get('vary'), 'Accept-Encoding');
      }
      for (const path of [
        '/assets/nothing.js',
        '/assets/..%2Fbuilt.json',
        '/assets/%2e%2e%2findex.html',
        '/built.json',
      ])
        assert.equal((await platform.call('GET', path)).status, 404, path);
    }));
});
