import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '@symbolon/testkit/folder';

/** Large, and needed by some calls alone: whatever uses one of these loads it by `import()` in the call. */
const AT_FIRST_USE = [
  ...[
    '@libpdf/core',
    '@peculiar/asn1-schema',
    '@peculiar/asn1-x509',
    'asn1js',
    'harfbuzzjs',
    'pdfjs-dist',
    'pkijs',
  ],
  ...['@opentelemetry/exporter-prometheus', '@opentelemetry/sdk-metrics', '@opentelemetry/sdk-trace'],
  ...[
    '@simplewebauthn/server',
    'aws4fetch',
    'ioredis',
    'nodemailer',
    'pg',
    'sharp',
    'undici',
    'yauzl',
    'yazl',
  ],
  ...['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', '@node-rs/argon2', 'ajv'],
];
const DOMAINS = ['agreements', 'approval', 'conversation', 'flows', 'people', 'sharing'];

/** What a process with a role may load: files in all, and what it may not beside the packages above. */
const ROLES = [
  { roles: 'front-door,region,worker,forwarder', most: 2450, not: [] },
  { roles: 'worker', most: 2350, not: [] },
  { roles: 'front-door', most: 2350, not: [] },
  { roles: 'forwarder', most: 1620, not: DOMAINS.map((name) => `domains/${name}`) },
];

const SERVE = `
  import { registerHooks } from 'node:module';
  const loaded = new Set();
  let files = 0;
  registerHooks({ load: (url, context, next) => {
    files++;
    const [, name] = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)\\//.exec(url)
      ?? /\\/packages\\/server\\/src\\/(domains\\/[^/]+)\\//.exec(url) ?? [];
    if (name !== undefined) loaded.add(name);
    return next(url, context);
  } });
  const { readConfig, serve } = await import(process.argv[1]);
  const platform = await serve(readConfig(process.env));
  // Some do not listen, or say an address that leads elsewhere.
  if (process.env.SYMBOLON_ROLES.includes('region')) await fetch(platform.url + '/api/health');
  console.log(JSON.stringify({ files, loaded: [...loaded] }));
  await platform.stop();
`;

for (const { roles, most, not } of ROLES) {
  test(`a process with the roles ${roles} has loaded nothing that it does not need to start`, (t) => {
    const { path } = temporaryFolder(t);
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', SERVE, pathToFileURL(join(import.meta.dirname, 'index.ts')).href],
      {
        encoding: 'utf8',
        env: {
          PATH,
          NODE_COMPILE_CACHE,
          SYMBOLON_DATA_DIR: path,
          SYMBOLON_PORT: '0',
          SYMBOLON_LOG_LEVEL: 'warn',
          SYMBOLON_ROLES: roles,
          SYMBOLON_SECRET: randomBytes(32).toString('base64'),
          ...(roles === 'front-door' && {
            SYMBOLON_REGIONS: 'eu=http://127.0.0.1:9',
            SYMBOLON_FRONT_DOOR_URL: 'http://127.0.0.1:8080',
          }),
        },
      },
    );
    const said = JSON.parse(stdout.trim().split('\n').at(-1) || 'null') ?? assert.fail(stderr);
    const loaded: readonly string[] = said.loaded;
    assert.ok(loaded.includes('fastify') && loaded.includes('domains/operations'), 'what is loaded is told');
    assert.deepEqual(
      [...AT_FIRST_USE, ...not].filter((name) => loaded.includes(name)),
      [],
    );
    assert.ok(said.files <= most, `${said.files} files; ${most} at most`);
  });
}
