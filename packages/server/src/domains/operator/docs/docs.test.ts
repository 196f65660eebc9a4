import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Validator } from '@seriousme/openapi-schema-validator';
import { placePattern } from '@symbolon/protocol';
import { errorCatalogue } from '@symbolon/protocol/constants';
import { onPlatform } from '@symbolon/testkit/platform/platform';

onPlatform('pages for readers', (platform) => {
  const get = (path: string) => fetch(platform().url + path);
  const documented = async () => (await (await get('/openapi.json')).json()) as Documented;

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
      '/docs/',
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
    const hasSite = (await get('/docs/')).status === 200;
    for (const [key, [status]] of Object.entries(errorCatalogue)) {
      const shown = hasSite ? `<a href="docs/errors/${key}.html">${key}</a>` : key;
      assert.ok(text.includes(`<tr id="${key}"><td><code>${shown}</code></td><td>${status}</td>`), key);
    }
    if (hasSite) assert.equal((await get('/docs/errors/auth.invalid.html')).status, 200);
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
      403: [
        'auth.anti_forgery',
        'auth.client_endpoint_forbidden',
        'auth.forbidden',
        'auth.role_forbidden',
        'auth.second_factor_missing',
        'services.level_required',
      ],
      404: ['services.not_found'],
      409: ['services.share_code_taken'],
    });
    for (const path of [
      '/api/company-data/connections',
      '/api/person/connections',
      '/api/company-connections',
    ]) {
      const errors = document.paths[path]?.get?.['x-errors'] as Record<string, string[]> | undefined;
      assert.equal(errors !== undefined && '409' in errors, false, path);
    }
    const catalogue: Record<string, readonly [number, string]> = errorCatalogue;
    for (const [path, operations] of Object.entries(document.paths))
      for (const [method, operation] of Object.entries(operations)) {
        const errors = operation['x-errors'] as Record<string, string[]>;
        for (const [status, keys] of Object.entries(errors))
          for (const key of keys)
            assert.equal(catalogue[key]?.[0], Number(status), `${method} ${path} ${key}`);
      }
  });

  test('an operation refuses a role where one above viewer is needed, and an operator where it acts', async () => {
    const { paths } = await documented();
    for (const [path, operations] of Object.entries(paths))
      for (const [method, operation] of Object.entries(operations)) {
        const { 'x-callers': callers = [], 'x-portal-role': role = 'viewer' } = operation;
        const acts = callers.includes('operator') && method !== 'get';
        const refuses = operation['x-errors'][403]?.includes('auth.role_forbidden') ?? false;
        assert.equal(refuses, role !== 'viewer' || acts, `${method} ${path}`);
      }
  });

  test('the OpenAPI document links the catalogue at every error and cites nothing that a reader has not', async () => {
    const document = await documented();
    assert.equal(document.externalDocs.url, '/errors');
    for (const { responses } of operationsOf(document)) {
      for (const range of ['4XX', '5XX']) {
        const [, name = ''] = /^#\/components\/responses\/(\w+)$/.exec(responses[range]?.$ref ?? '') ?? [];
        assert.match(document.components.responses[name]?.description ?? '', /\[catalogue\]\(\/errors\)/);
      }
    }
    const cited = JSON.stringify(document).match(/.{0,80}\b(?:wire|spec|specification) \d/);
    assert.equal(cited?.[0], undefined);
  });

  test('the OpenAPI document is valid, small, and has each schema of the protocol once, by its name', async () => {
    const document = await documented();
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    assert.ok(valid, JSON.stringify(errors)?.slice(0, 2000));
    const text = JSON.stringify(document);
    assert.ok(gzipSync(text).length < 150_000, `${gzipSync(text).length} bytes`);

    const { schemas } = document.components;
    const named = new Set([...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name));
    assert.deepEqual(
      [...named].sort(),
      Object.keys(schemas),
      'each is named, and there is each that is named',
    );
    const read = document.paths['/api/services/{id}']?.get?.responses['200'];
    assert.deepEqual(read?.content?.['application/json']?.schema, { $ref: '#/components/schemas/Service' });
    assert.deepEqual(schemas.Service?.properties?.audience, { $ref: '#/components/schemas/Audience' });
    assert.deepEqual(schemas.Audience, { type: 'string', enum: ['person', 'company', 'both'] });
    // What a schema says is in the document once, so whatever else has its shape names it.
    const whole = JSON.stringify(schemas.Service);
    assert.equal(text.split(whole).length, 2);
  });

  test('each place in a list is an id or empty, so that another cursor is refused', async () => {
    const places = operationsOf(await documented()).flatMap(({ operationId, parameters = [] }) =>
      parameters
        .filter(({ name }) => name === 'after' || name === 'before')
        .map(({ schema }) => [operationId, schema.pattern]),
    );
    assert.ok(places.length > 10);
    assert.deepEqual(
      places.filter(([, pattern]) => pattern !== placePattern),
      [],
    );
  });

  test('each operation of the OpenAPI document has a name of its own', async () => {
    const document = await documented();
    const names = operationsOf(document).map(({ operationId }) => operationId);
    assert.equal(new Set(names).size, names.length);
    assert.equal(document.paths['/api/services/{id}/share-code']?.put?.operationId, 'putServicesIdShareCode');
  });
});

type Documented = {
  externalDocs: { url: string };
  components: {
    responses: Record<string, { description: string }>;
    schemas: Record<string, { properties?: Record<string, unknown> }>;
  };
  paths: Record<string, Record<string, Operation>>;
};
type Operation = {
  operationId: string;
  'x-callers'?: readonly string[];
  'x-portal-role'?: string;
  'x-errors': Readonly<Record<string, readonly string[]>>;
  parameters?: readonly { name: string; schema: { pattern?: string } }[];
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: unknown }> }>;
};
const operationsOf = ({ paths }: Documented) => Object.values(paths).flatMap((path) => Object.values(path));
