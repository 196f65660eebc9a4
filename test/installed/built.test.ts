/** Builds what an installation runs, outside of the repository, and uses it there. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { playsAndServes } from './support/command.ts';

const BUILD = join(import.meta.dirname, '../../scripts/build.ts');

describe('the built platform', () => {
  const built = temporaryFolder({ after });
  before(() => {
    execFileSync(process.execPath, [BUILD, built.path], { stdio: 'pipe' });
  });

  test('plays the demo and serves the pages, with nothing of the repository', async () => {
    await playsAndServes(join(built.path, 'lib/main.js'), built.path);
  });

  test('has every file that it names beside its own', () => {
    const lib = join(built.path, 'lib');
    const files = new Set(globSync('*', { cwd: lib }));
    const named = [...files]
      .filter((file) => file.endsWith('.js'))
      .flatMap((file) => [
        ...readFileSync(join(lib, file), 'utf8').matchAll(
          /new URL\(["`']\.\/([^"`']+)["`'], import\.meta\.url\)/g,
        ),
      ])
      .map(([, name = '']) => name);
    const programs = [
      'child.js',
      'checkpoint-thread.js',
      'copy-sqlite.js',
      'definition-thread.js',
      'xml-thread.js',
    ];
    for (const name of [
      ...programs,
      'prove-thread.js',
      'symbolon-decrypt-worker.js',
      'dev-worker.js',
      'places.tsv.br',
    ])
      assert.ok(named.includes(name), `${name} is named`);
    assert.deepEqual(
      named.filter((name) => !files.has(name)),
      [],
    );
  });

  test('says whose code is in it, under which licence', () => {
    const text = readFileSync(join(built.path, 'THIRD-PARTY.txt'), 'utf8');
    for (const name of ['fastify', 'kysely', 'pino', 'commander', '@embedpdf/pdfium'])
      assert.match(text, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\((MIT|Apache-2\\.0)\\)$`, 'm'));
  });
});
