/**
 * Packs the packages, installs the tarballs into empty projects and uses them there as others would: on the least
 * versions of Node, by import and by require, compiled and bundled.
 */
import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { createDevelopmentChain, createPdfWorker, Sealer, signerFromPem } from '@symbolon/pdf';
import { DataClient } from '@symbolon/sdk';
import { createWorld, type World } from '@symbolon/testkit/cli/world';
import { factsOf, SEALED_AT } from '@symbolon/testkit/pdf/facts';
import { plainPdf } from '@symbolon/testkit/pdf/samples';
import { isAtLength } from '@symbolon/testkit/thoroughness';
import { bundleServer, SERVER_BUNDLERS } from './support/bundlers.ts';
import { output, playsAndServes } from './support/command.ts';
import { publintOf, wrongTypesOf } from './support/lint.ts';
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
      // One needs @symbolon/pdf, which is not among what a backend installs: nothing else asks for it. One is a thread.
      const entries = entryPoints(project).filter(
        (entry) => !/\/(?:verify|symbolon-decrypt-worker)$/.test(entry),
      );
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

  for (const bundler of Object.keys(SERVER_BUNDLERS)) {
    test(`${bundler} bundles for Node and keeps the threads`, { skip: atLength }, async () => {
      const bundling = { tools: tools ?? '', project, program: 'read-connections.mjs' };
      const folder = await bundleServer(bundler, bundling);
      const answer = await read(process.execPath, join(folder, 'program.js'));
      assert.deepEqual(answer, { stdout: `${expected}\n`, stderr: '', code: 0 });
    });
  }

  test('webpack bundles for Node into one file', { skip: atLength }, async () => {
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
    const { sealAndOpen, refusalOf, statusOfForged } = await import(bundle);
    assert.equal(await sealAndOpen('Grüße'), 'Grüße');
    assert.equal(await refusalOf(world.url), 'auth.credentials_invalid');
    assert.equal(await statusOfForged(), 401);
  });

  test('a program compiles, verifies and inspects PDF files without fonts, and learns what filling needs', {
    skip: !isAtLength && 'with --all',
  }, async () => {
    const packages = [...LIBRARIES, 'pdf'];
    const needs = workshop.packNeeds(packages, ['@types/node']);
    const folder = workshop.project('reader', [...workshop.tarballs(...packages), ...needs]);
    const [chain, plain] = [createDevelopmentChain({ name: 'Acme seal', now: SEALED_AT }), plainPdf()];
    const signer = signerFromPem(chain.privateKey, chain.certificate);
    const { bytes } = await new Sealer({ signer, worker: createPdfWorker() }).seal(plain, factsOf(plain));
    const files = { 'sealed.pdf': bytes, 'roots.pem': chain.root, 'plain.pdf': plain };
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    const { stdout, stderr } = await output(
      process.execPath,
      ['read-pdf.mjs', ...Object.keys(files)],
      folder,
    );
    assert.deepEqual([stdout, stderr], ['sealed false fonts_missing\n', '']);
    writeFileSync(join(folder, 'seals.ts'), "import { Sealer } from '@symbolon/pdf';\nvoid Sealer;\n");
    const options = ['--noEmit', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
    const compiler = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
    const compiled = await output(process.execPath, [compiler, ...options, 'seals.ts'], folder);
    // Declarations of packages of others have mistakes of their own.
    assert.doesNotMatch(compiled.stdout + compiled.stderr, /symbolon/);
  });

  for (const [name, path] of [
    ['Bun', '@oven/bun-linux-x64/bin/bun'],
    ['Deno', '@deno/linux-x64-glibc/deno'],
  ] as const) {
    test(`${name} reads connections on threads, and receives webhooks`, {
      skip: atLength || !isX64,
    }, async () => {
      const [runtime, flags] = [join(tools ?? '', path), name === 'Deno' ? ['run', '--allow-all'] : []];
      const reading = await run(runtime, [...flags, 'read-connections.mjs', world.credentials.config_file]);
      assert.deepEqual(reading, { stdout: `${expected}\n`, stderr: '', code: 0 });
      const receiving = await run(runtime, [...flags, 'receive-one.mjs']);
      assert.deepEqual(receiving, { stdout: 'field_updated email\n200 401\n', stderr: '', code: 0 });
    });
  }

  test('linters of packages have nothing against the tarballs', { skip }, async () => {
    const names = isAtLength ? [...LIBRARIES, 'pdf', 'server'] : LIBRARIES;
    for (const tarball of workshop.tarballs(...names)) {
      assert.deepEqual(await publintOf(tools ?? '', tarball), [], tarball);
      assert.deepEqual(await wrongTypesOf(tools ?? '', tarball), [], tarball);
    }
  });

  test('the types of the SDK cost a compiler little', { skip }, async () => {
    const options = { ...inNode, module: 'nodenext', skipLibCheck: true };
    writeFileSync(
      join(project, 'cost.json'),
      JSON.stringify({ compilerOptions: options, files: ['costs.ts'] }),
    );
    const compiler = join(tools ?? '', 'typescript-7/bin/tsc');
    const flags = ['--project', 'cost.json', '--singleThreaded', '--extendedDiagnostics'];
    const { stdout, code } = await run(process.execPath, [compiler, ...flags]);
    assert.equal(code, 0, stdout);
    const count = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(stdout)?.[1]);
    // Counts are the same on every machine, and times follow them.
    assert.ok(count('Types') < 2_500, stdout);
    assert.ok(count('Instantiations') < 8_000, stdout);
  });

  test('the packages can be published with their provenance', { skip: atLength }, async () => {
    const script = join(import.meta.dirname, '../../scripts/publish.ts');
    const repository = 'git+https://example.org/symbolon.git';
    const flags = [script, repository, '--dry-run', '--offline'];
    const { stdout, stderr, code } = await run(process.execPath, flags);
    assert.equal(code, 0, stderr);
    const published = [...stdout.matchAll(/^\+ @symbolon\/([a-z-]+)@/gm)].map(([, name]) => name);
    for (const name of ['cli', 'server', 'pdf', ...LIBRARIES]) assert.ok(published.includes(name), stdout);
    assert.ok(published.indexOf('protocol') < published.indexOf('sdk'));
    assert.match(stderr, /provenance|public access/);
  });

  test('the command needs little room, runs the whole demo, and serves the pages', {
    skip: atLength,
  }, async () => {
    const folder = workshop.project('command', workshop.tarballs('cli'), ['--prefer-offline']);
    const bytes = bytesBelow(join(folder, 'node_modules'));
    assert.ok(bytes < 120e6, `${bytes} bytes`);
    await playsAndServes(join(folder, 'node_modules/@symbolon/cli/lib/main.js'), folder);
  });

  test('the platform as a package serves', { skip: atLength }, async () => {
    const packages = workshop.tarballs(...LIBRARIES, 'fonts', 'pdf', 'server');
    const folder = workshop.project('server', packages, ['--prefer-offline']);
    const { stdout, stderr, code } = await run(process.execPath, [join(folder, 'serve-once.mjs')]);
    assert.deepEqual({ stdout, stderr, code }, { stdout: '200\n', stderr: '', code: 0 });
  });
});

async function everybody(config: string): Promise<object[]> {
  await using client = DataClient.fromFile(config);
  const people: object[] = [];
  for await (const { displayName, values } of client.connections()) people.push({ displayName, values });
  return people;
}

function bytesBelow(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

function entryPoints(project: string): string[] {
  return LIBRARIES.flatMap((name) => {
    const folder = join(project, 'node_modules/@symbolon', name);
    const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return Object.keys(exports).map((path) => join('@symbolon', name, path));
  });
}
