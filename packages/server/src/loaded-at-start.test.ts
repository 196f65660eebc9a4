import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
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
  ...['@simplewebauthn/server', 'ioredis', 'nodemailer', 'pg', 'sharp', 'undici', 'yauzl'],
];

const SERVE = `
  import { registerHooks } from 'node:module';
  const loaded = new Set();
  registerHooks({ load: (url, context, next) => {
    const [, name] = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)\\//.exec(url) ?? [];
    if (name !== undefined) loaded.add(name);
    return next(url, context);
  } });
  const { readConfig, serve } = await import(process.argv[1]);
  const platform = await serve(readConfig(process.env));
  const answer = await fetch(platform.url + '/api/health');
  await platform.stop();
  console.log(JSON.stringify({ status: answer.status, loaded: [...loaded] }));
`;

test('a platform that serves has loaded nothing that only some calls need', (t) => {
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
      },
    },
  );
  const { status, loaded } = JSON.parse(stdout.trim().split('\n').at(-1) || 'null') ?? assert.fail(stderr);
  assert.equal(status, 200);
  assert.ok(loaded.includes('fastify'), 'packages are told');
  assert.deepEqual(
    AT_FIRST_USE.filter((name) => loaded.includes(name)),
    [],
  );
});
