/**
 * Packs the packages, installs the tarballs into empty projects and uses them there as others would: on the least
 * versions of Node, by import and by require, compiled and bundled.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { DataClient } from '@symbolon/sdk';
import { createWorld, type World } from '@symbolon/testkit/cli/world';
import { isAtLength } from '@symbolon/testkit/thoroughness';
import { Workshop } from './support/project.ts';
import { installTools } from './support/tools.ts';

const LIBRARIES = ['protocol', 'crypto', 'field-types', 'flows', 'sdk'];

const tools = installTools();
const skip =
  tools === undefined ? 'no registry answers: compilers, bundlers and older runtimes are missing' : false;
const atLength = skip || (!isAtLength && 'with --all');
const isX64 = process.platform === 'linux' && process.arch === 'x64';
const runtimes = [
  { name: 'Node 20.19.0', path: join(tools ?? '', 'node-20-x64/bin/node'), skip: atLength || !isX64 },
  { name: 'Node 22.13.0', path: join(tools ?? '', 'node-22-x64/bin/node'), skip: atLength || !isX64 },
  { name: `Node ${process.versions.node}`, path: process.execPath, skip: false },
];
const strict = { strict: true, noEmit: true, skipLibCheck: false, target: 'es2022' };
const inNode = { ...strict, types: ['node'], lib: ['es2023'] };
const forBundlers = { module: 'esnext', moduleResolution: 'bundler' };
const compilations = {
  nodenext: {
    options: { ...inNode, module: 'nodenext' },
    files: ['every-entry.ts', 'every-entry-required.cts', 'in-a-browser.ts'],
  },
  bundler: {
    options: { ...inNode, ...forBundlers, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    files: ['every-entry.ts'],
  },
  browser: {
    options: { ...strict, ...forBundlers, types: [], lib: ['es2022', 'dom'] },
    files: ['in-a-browser.ts'],
  },
};

describe('installed from tarballs', () => {
  let workshop: Workshop;
  let project: string;
  let world: World;
  let expected: string;

  before(async () => {
    workshop = isAtLength ? new Workshop() : new Workshop(...LIBRARIES);
    const packages = [...workshop.tarballs(...LIBRARIES), ...workshop.packNeeds(LIBRARIES, ['@types/node'])];
    project = workshop.project('shop', packages);
    world = await createWorld();
    expected = JSON.stringify(await everybody(world.credentials.config_file));
  });
  after(async () => {
    await world?.clear();
    workshop?.[Symbol.dispose]();
  });

  const run = (node: string, args: readonly string[]) => output(node, args, project);
  const read = (node: string, program: string) => run(node, [program, world.credentials.config_file]);

  test('there is more to decrypt than fits on the calling thread', () => {
    const values = JSON.parse(expected).flatMap((person: { values: object }) => Object.values(person.values));
    assert.ok(values.filter(({ value }: { value: unknown }) => value !== null).length > 8);
  });

  for (const { name, path, skip } of runtimes) {
    test(`${name} loads every entry point, by import and by require`, { skip }, async () => {
      // That one needs @symbolon/pdf, which is not among what a backend installs: nothing else asks for it.
      const entries = entryPoints(project).filter((entry) => entry !== '@symbolon/sdk/verify');
      assert.ok(entries.length >= 11);
      assert.equal((await run(path, ['every-entry.mjs', ...entries])).stdout, 'loaded\n');
    });

    test(`${name} refuses a common password`, { skip }, async () => {
      const answer = await run(path, ['refuse-password.mjs']);
      assert.deepEqual(answer, { stdout: 'sdk.password_weak easy_to_guess 4\n', stderr: '', code: 0 });
    });

    for (const program of ['read-connections.mjs', 'read-connections.cjs']) {
      test(`${name} runs ${program} and decrypts on threads`, { skip }, async () => {
        assert.deepEqual(await read(path, program), { stdout: `${expected}\n`, stderr: '', code: 0 });
      });
    }
  }

  test('the pump works from Node 22.13 on and says so before', { skip: atLength || !isX64 }, async () => {
    for (const [index, { path }] of runtimes.entries()) {
      const buffer = join(workshop.folder, `changes-${index}.db`);
      const { stdout } = await run(path, ['pump-one.mjs', world.credentials.config_file, buffer]);
      assert.match(stdout, index === 0 ? /needs Node 22\.13 or later/ : /^connection_created\n$/);
    }
  });

  // TypeScript 5.9 takes long over the schemas.
  for (const [compiler, programs, skipped] of [
    ['typescript-5', [compilations.nodenext, compilations.browser], atLength],
    [
      'typescript-7',
      isAtLength
        ? [compilations.nodenext, compilations.bundler, compilations.browser]
        : [compilations.nodenext],
      skip,
    ],
  ] as const) {
    test(`${compiler} compiles programs without skipLibCheck`, { skip: skipped }, async () => {
      cpSync(join(project, 'every-entry.ts'), join(project, 'every-entry-required.cts'));
      for (const [index, { options, files }] of programs.entries()) {
        const config = join(project, `tsconfig.${compiler}.${index}.json`);
        writeFileSync(config, JSON.stringify({ compilerOptions: options, files }));
        const compile = [join(tools ?? '', compiler, 'bin/tsc'), '--project', config];
        // Several threads would each look at the same declarations.
        if (compiler === 'typescript-7') compile.push('--singleThreaded');
        assert.deepEqual(await run(process.execPath, compile), { stdout: '', stderr: '', code: 0 });
      }
    });
  }

  for (const format of ['esm', 'cjs']) {
    test(`esbuild bundles into one file of ${format}, which decrypts without threads and says so once`, {
      skip: format === 'esm' ? skip : atLength,
    }, async () => {
      const bundle = `esbuild-bundle.${format === 'esm' ? 'mjs' : 'cjs'}`;
      const flags = [
        '--bundle',
        '--platform=node',
        `--format=${format}`,
        `--outfile=${bundle}`,
        '--log-level=error',
      ];
      const source = format === 'esm' ? 'read-connections.mjs' : 'read-connections.cjs';
      await run(join(tools ?? '', 'esbuild/bin/esbuild'), [
        source,
        ...flags,
        '--log-override:empty-import-meta=silent',
      ]);
      const { stdout, stderr } = await read(process.execPath, bundle);
      assert.equal(stdout, `${expected}\n`);
      assert.equal(stderr.match(/SYMBOLON_NO_DECRYPT_THREADS/g)?.length, 1);
    });
  }

  test('webpack bundles for Node', { skip: atLength }, async () => {
    const bundler = await import(join(tools ?? '', 'webpack/lib/index.js'));
    const output = { path: join(project, 'webpack-bundle'), filename: 'bundle.cjs' };
    const entry = './read-connections.mjs';
    const compiler = bundler.default({
      mode: 'production',
      target: 'node20',
      context: project,
      entry,
      output,
    });
    const stats = await promisify(compiler.run.bind(compiler))();
    assert.deepEqual(stats.toJson({ all: false, errors: true }).errors, []);
    assert.equal((await read(process.execPath, 'webpack-bundle/bundle.cjs')).stdout, `${expected}\n`);
  });

  test('Vite bundles for browsers, with nothing of Node in it', { skip }, async () => {
    const vite = await import(join(tools ?? '', 'vite/dist/node/index.js'));
    const lib = { entry: 'in-a-browser.ts', formats: ['es'], fileName: 'bundle' };
    await vite.build({
      root: project,
      configFile: false,
      logLevel: 'error',
      build: { outDir: 'vite-bundle', lib, rolldownOptions: { external: /^node:/ } },
    });
    const bundle = join(project, 'vite-bundle', 'bundle.mjs');
    const from = readFileSync(bundle, 'utf8').match(/.{0,60}(?:["'`]node:|require\().{0,60}/);
    assert.equal(from?.[0], undefined);
    const { sealAndOpen, refusalOf } = await import(bundle);
    assert.equal(await sealAndOpen('Grüße'), 'Grüße');
    assert.equal(await refusalOf(world.url), 'auth.credentials_invalid');
  });

  test('the command runs the whole demo, and serves the pages', { skip: atLength }, async () => {
    const packages = [...LIBRARIES, 'pdf', 'server', 'cli'];
    const folder = workshop.project('command', workshop.tarballs(...packages), ['--prefer-offline']);
    const command = [join(folder, 'node_modules/@symbolon/cli/lib/main.js'), 'demo'];
    const { stdout, stderr, code } = await output(process.execPath, command, folder);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /Typed → stored → decrypted/);
    await servesPages(command[0] ?? '', folder);
  });
});

/** The packed server has the pages and every file that they load, with nobody to build them. */
async function servesPages(command: string, folder: string): Promise<void> {
  const args = [command, 'serve', '--port', '0', '--data', join(folder, 'data')];
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, SYMBOLON_LOG_LEVEL: 'silent' };
  const server = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [, url = ''] = await firstMatch(server.stdout, /serves on (http:\/\/127\.0\.0\.1:\d+)/);
    // A page load goes to the name under which browsers give keys.
    const base = url.replace('127.0.0.1', 'localhost');
    const get = (path: string) => fetch(`${base}${path}`, { headers: { accept: '*/*' } });
    for (const path of ['/sign-in', '/auth?client_id=x', '/me/approvals']) {
      const page = await get(path);
      assert.equal(page.status, 200, path);
      assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
      const html = await page.text();
      const files = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, file = '']) => file);
      assert.ok(
        files.some((file) => file.endsWith('.js')),
        html,
      );
      for (const file of files) assert.equal((await get(file)).status, 200, file);
    }
    for (const file of ['/service-worker.js', '/app.webmanifest', '/icon.svg'])
      assert.equal((await get(file)).status, 200, file);
  } finally {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
}

async function firstMatch(stream: Readable, pattern: RegExp): Promise<RegExpExecArray> {
  let read = '';
  for await (const chunk of stream.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    read += chunk;
    const found = pattern.exec(read);
    if (found !== null) return found;
  }
  throw new Error(`The command ended: ${read}`);
}

async function everybody(config: string): Promise<object[]> {
  await using client = DataClient.fromFile(config);
  const people: object[] = [];
  for await (const { displayName, values } of client.connections()) people.push({ displayName, values });
  return people;
}

function entryPoints(project: string): string[] {
  return LIBRARIES.flatMap((name) => {
    const folder = join(project, 'node_modules/@symbolon', name);
    const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return Object.keys(exports).map((path) => join('@symbolon', name, path));
  });
}

async function output(program: string, args: readonly string[], cwd: string) {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(program, args, { cwd, env: { PATH, HOME, NODE_COMPILE_CACHE } });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { stdout, stderr, code };
}
