import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorCatalogue } from '@symbolon/protocol/constants';
import { onPlatform } from '@symbolon/testkit/platform/platform';

onPlatform('pages for readers', (platform) => {
  const get = (path: string) => fetch(platform().url + path);

  test('the address itself says what this is and leads on', async () => {
    const answer = await get('/');
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
    const text = await answer.text();
    const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, path]) => path ?? '');
    assert.deepEqual(links, [
      '/sign-in',
      '/register',
      '/verify',
      '/explorer',
      '/openapi.json',
      '/errors',
      '/api/health',
    ]);
    for (const path of links) assert.equal((await get(path)).status, 200, path);
  });

  test('the pages are not framed, run no script and say nothing of where a reader came from', async () => {
    for (const path of ['/', '/errors']) {
      const { headers } = await get(path);
      const policy = headers.get('content-security-policy') ?? '';
      assert.match(policy, /default-src 'self'.*frame-ancestors 'none'/);
      assert.doesNotMatch(policy, /script-src/);
      const given = ['referrer-policy', 'cache-control', 'x-content-type-options'].map((name) =>
        headers.get(name),
      );
      assert.deepEqual(given, ['no-referrer', 'no-store', 'nosniff'], path);
    }
  });

  test('the catalogue has an anchor for every key', async () => {
    const text = await (await get('/errors')).text();
    for (const [key, [status]] of Object.entries(errorCatalogue)) {
      assert.ok(text.includes(`<tr id="${key}"><td><code>${key}</code></td><td>${status}</td>`), key);
    }
  });

  test('the OpenAPI document travels small, and once', async () => {
    const ask = (headers: Record<string, string>) =>
      platform().call('GET', '/openapi.json', { headers: { 'accept-encoding': 'identity', ...headers } });
    const plain = await ask({});
    const etag = plain.headers.get('etag') ?? '';
    const again = await ask({ 'if-none-match': etag });
    assert.deepEqual([again.status, again.text], [304, '']);
    for (const encoding of ['br', 'gzip']) {
      const packed = await ask({ 'accept-encoding': `deflate, ${encoding}` });
      assert.equal(packed.headers.get('content-encoding'), encoding);
      const length = Number(packed.headers.get('content-length'));
      assert.ok(
        length > 0 && length < plain.text.length / 8,
        `${encoding}: ${length} of ${plain.text.length}`,
      );
    }
    const opened = await get('/openapi.json');
    assert.deepEqual(await opened.json(), plain.body, 'what is unpacked is the same');
  });

  test('the OpenAPI document names the errors of each operation and what an account client needs', async () => {
    const document = (await (await get('/openapi.json')).json()) as {
      'x-common-errors': Record<string, string[]>;
      paths: Record<string, Record<string, Record<string, unknown>>>;
    };
    assert.ok(document['x-common-errors']['429']?.includes('rate_limit.exceeded'));
    const publish = document.paths['/api/services/{id}/share-code']?.put ?? {};
    assert.deepEqual(publish['x-capabilities'], ['service_management']);
    assert.deepEqual(publish['x-errors'], {
      400: ['services.share_code_invalid'],
      401: ['auth.expired', 'auth.invalid'],
      403: ['auth.anti_forgery', 'auth.client_endpoint_forbidden', 'auth.forbidden', 'auth.role_forbidden'],
      404: ['services.not_found'],
      409: ['services.share_code_taken'],
    });
    const catalogue: Record<string, readonly [number, string]> = errorCatalogue;
    for (const [path, operations] of Object.entries(document.paths))
      for (const [method, operation] of Object.entries(operations)) {
        const errors = operation['x-errors'] as Record<string, string[]>;
        for (const [status, keys] of Object.entries(errors))
          for (const key of keys)
            assert.equal(catalogue[key]?.[0], Number(status), `${method} ${path} ${key}`);
      }
  });

  test('the OpenAPI document links the catalogue at every error and cites nothing that a reader has not', async () => {
    const document = (await (await get('/openapi.json')).json()) as {
      externalDocs: { url: string };
      paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>>;
    };
    assert.equal(document.externalDocs.url, '/errors');
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    for (const { responses } of operations) {
      for (const range of ['4XX', '5XX'])
        assert.match(responses[range]?.description ?? '', /\[catalogue\]\(\/errors\)/);
    }
    const cited = JSON.stringify(document).match(/.{0,80}\b(?:wire|spec|specification) \d/);
    assert.equal(cited?.[0], undefined);
  });
});
