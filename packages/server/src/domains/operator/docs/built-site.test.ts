import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorCatalogue } from '@symbolon/protocol/constants';
import { onPlatform } from '@symbolon/testkit/platform/platform';

onPlatform('the documentation that a platform serves', (platform) => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(platform().url + path, { headers, redirect: 'manual' });

  test('addresses without a file lead on', async () => {
    for (const [from, to] of [
      ['/docs', 'docs/'],
      ['/explorer', 'docs/reference/'],
      ['/llms.txt', 'docs/llms.txt'],
    ] as const) {
      const answer = await get(from);
      assert.deepEqual([answer.status, answer.headers.get('location')], [302, to]);
      assert.equal((await fetch(new URL(to, platform().url))).status, 200);
    }
  });

  test('there is a page for every operation and for every error, in HTML and in Markdown', async () => {
    const { paths } = (await (await get('/openapi.json')).json()) as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    // Those of the operator are there where one has a token.
    const operations = Object.entries(paths).filter(([path]) => !path.startsWith('/api/admin'));
    const names = operations.flatMap(([, methods]) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    const list = await (await get('/docs/reference/')).text();
    for (const name of names) assert.ok(list.includes(`href="${name}.html"`), name);
    const errors = await (await get('/docs/errors/index.html')).text();
    for (const key of Object.keys(errorCatalogue)) assert.ok(errors.includes(`href="${key}.html"`), key);
    for (const name of ['reference/getServicesId', 'errors/services.not_found', 'webhook-events', 'concepts'])
      for (const [extension, type] of [
        ['html', 'text/html; charset=utf-8'],
        ['md', 'text/markdown; charset=utf-8'],
      ]) {
        const answer = await get(`/docs/${name}.${extension}`);
        assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, type], name);
      }
    const page = await (await get('/docs/reference/getServicesId.md')).text();
    assert.match(page, /^# Read a service\n/);
    assert.match(page, /"share_code": "K7M2QX"/);
    assert.match(page, /\[`services.not_found`\]\(\.\.\/errors\/services\.not_found\.md\)/);
  });

  test('every link of every page leads to a page, to a picture or to the platform, and none to another host', async () => {
    const seen = new Set<string>();
    const pages = ['/docs/index.html'];
    const anchors = new Map<string, Set<string>>();
    const wanted: [from: string, to: URL][] = [];
    for (let path = pages.pop(); path !== undefined; path = pages.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      const answer = await get(path);
      assert.equal(answer.status, 200, path);
      if (!path.endsWith('.html')) continue;
      const html = await answer.text();
      assert.doesNotMatch(html, /<script(?! src=| type="module" src=)|<style|style="|onclick=/, path);
      anchors.set(path, new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)));
      for (const [, link = ''] of html.matchAll(/ (?:href|src)="([^"]+)"/g)) {
        const to = new URL(link.replaceAll('&amp;', '&'), platform().url + path);
        if (to.origin !== new URL(platform().url).origin) {
          assert.match(link, /^(?:https?|mailto):/, `${path} names ${link}`);
          continue;
        }
        wanted.push([path, to]);
        if (!seen.has(to.pathname)) pages.push(to.pathname);
      }
    }
    assert.ok(seen.size > 700, `${seen.size}`);
    const broken = wanted.filter(
      ([, { pathname, hash }]) => hash !== '' && anchors.get(pathname)?.has(hash.slice(1)) === false,
    );
    assert.deepEqual(
      broken.map(([from, to]) => `${from} leads to ${to.pathname}${to.hash}`),
      [],
    );
  });

  test('a page travels packed where the caller takes that, once, under a policy that allows nothing inline', async () => {
    const plain = await get('/docs/webhooks.html', { 'accept-encoding': 'identity' });
    const packed = await get('/docs/webhooks.html', { 'accept-encoding': 'br' });
    const second = await get('/docs/webhooks.html', { 'accept-encoding': 'gzip;q=1.0, br;q=0.8' });
    assert.equal(second.headers.get('content-encoding'), 'br', 'there is no other one');
    const unended = await get('/docs/webhooks', { 'accept-encoding': 'identity' });
    assert.equal(await unended.clone().text(), await plain.clone().text());
    assert.deepEqual(
      [plain.headers.get('content-encoding'), packed.headers.get('content-encoding')],
      [null, 'br'],
    );
    assert.equal(await plain.text(), await packed.text());
    assert.notEqual(plain.headers.get('etag'), packed.headers.get('etag'));
    const etag = packed.headers.get('etag') ?? '';
    const again = await get('/docs/webhooks.html', { 'accept-encoding': 'br', 'if-none-match': etag });
    assert.equal(again.status, 304);
    assert.match(
      plain.headers.get('content-security-policy') ?? '',
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    );
  });

  test('what is no file of it is not found, whatever it climbs to', async () => {
    for (const path of [
      '/docs/nothing.html',
      '/docs/built.json.br',
      '/docs/../package.json',
      '/docs/%2e%2e/%2e%2e/package.json',
      '/docs/..%2fpackage.json',
    ]) {
      const answer = await get(path);
      assert.equal(answer.status, 404, path);
      assert.equal(((await answer.json()) as { error_key: string }).error_key, 'request.not_found');
    }
  });
});
