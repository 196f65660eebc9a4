/**
 * Packs the packages, installs the tarballs into empty projects and uses them there as others would: on the least
 * versions of Node, by import and by require, compiled and bundled.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { DataClient } from '@symbolon/sdk';
import { createWorld, type World } from '../../packages/cli/src/testing/world.ts';
import { Workshop } from './support/project.ts';
import { installTools } from './support/tools.ts';

const LIBRARIES = ['protocol', 'crypto', 'field-types', 'sdk'];
const THIRD_PARTY = ['typebox', 're2js', '@types/node', 'undici-types'];

const tools = installTools();
const skip =
  tools === undefined ? 'no registry answers: compilers, bundlers and older runtimes are missing' : false;
const isX64 = process.platform === 'linux' && process.arch === 'x64';
const runtimes = [
  { name: 'Node 20.19.0', path: join(tools ?? '', 'node-20-x64/bin/node'), skip: skip || !isX64 },
  { name: 'Node 22.13.0', path: join(tools ?? '', 'node-22-x64/bin/node'), skip: skip || !isX64 },
  { name: `Node ${process.versions.node}`, path: process.execPath, skip: false },
];
const compilers = ['typescript-5', 'typescript-7'];

describe('installed from tarballs', () => {
  let workshop: Workshop;
  let project: string;
  let world: World;
  let expected: string;

  before(async () => {
    workshop = new Workshop();
    const packages = [...workshop.tarballs(...LIBRARIES), ...workshop.packInstalled(THIRD_PARTY)];
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
      const entries = entryPoints(project);
      assert.ok(entries.length >= 11);
      assert.equal((await run(path, ['every-entry.mjs', ...entries])).stdout, 'loaded\n');
    });

    for (const program of ['read-connections.mjs', 'read-connections.cjs']) {
      test(`${name} runs ${program} and decrypts on threads`, { skip }, async () => {
        assert.deepEqual(await read(path, program), { stdout: `${expected}\n`, stderr: '', code: 0 });
      });
    }
  }

  test('the pump works from Node 22.13 on and says so before', { skip: skip || !isX64 }, async () => {
    for (const [index, { path }] of runtimes.entries()) {
      const buffer = join(workshop.folder, `changes-${index}.db`);
      const { stdout } = await run(path, ['pump-one.mjs', world.credentials.config_file, buffer]);
      assert.match(stdout, index === 0 ? /needs Node 22\.13 or later/ : /^connection_created\n$/);
    }
  });

  for (const compiler of compilers) {
    test(`${compiler} compiles a program without skipLibCheck`, { skip }, async () => {
      const node = { types: ['node'], lib: ['es2023'], strict: true, noEmit: true, skipLibCheck: false };
      const strictest = { exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
      cpSync(join(project, 'every-entry.ts'), join(project, 'every-entry-required.cts'));
      const nodenext = { ...node, module: 'nodenext', target: 'es2022' };
      const bundler = { module: 'esnext', moduleResolution: 'bundler', target: 'es2022' };
      const browser = { ...node, ...bundler, types: [], lib: ['es2022', 'dom'] };
      const programs = [
        { options: nodenext, files: ['every-entry.ts', 'every-entry-required.cts', 'in-a-browser.ts'] },
        { options: { ...node, ...bundler, ...strictest }, files: ['every-entry.ts'] },
        { options: browser, files: ['in-a-browser.ts'] },
      ];
      for (const [index, { options, files }] of programs.entries()) {
        const config = join(project, `tsconfig.${compiler}.${index}.json`);
        writeFileSync(config, JSON.stringify({ compilerOptions: options, files }));
        const compile = [join(tools ?? '', compiler, 'bin/tsc'), '--project', config];
        assert.deepEqual(await run(process.execPath, compile), { stdout: '', stderr: '', code: 0 });
      }
    });
  }

  for (const format of ['esm', 'cjs']) {
    test(`esbuild bundles into one file of ${format}, which decrypts without threads and says so once`, {
      skip,
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
});

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
  const child = spawn(program, args, { cwd, env: { PATH: process.env.PATH, HOME: process.env.HOME } });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { stdout, stderr, code };
}
