import { globSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { madeOnce } from './made-once.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const PROCESSES = 'packages/testkit/src/processes';

/** What tests start as processes, and what these start as processes or threads. */
const PROGRAMS = [
  'packages/cli/src/main.ts',
  'packages/pdf/src/runner/child.ts',
  'packages/server/src/db/checkpoint-thread.ts',
  'packages/server/src/domains/flows/definitions/definition-thread.ts',
  'packages/server/src/http/xml-thread.ts',
  ...globSync(`${PROCESSES}/*.ts`, { cwd: ROOT }).sort(),
].map((path) => join(ROOT, path));

/** Packages with native code, or with files that they look for beside their own. */
const WITH_FILES =
  /^(node:|@fontsource|@node-rs\/|harfbuzzjs|lightningcss|pdfjs-dist|pg-native|pino$|sharp|vite$)/;
/** A script that a module starts. */
const STARTED = /new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g;

/**
 * A program as tests start it. In a run of tests that is a bundle, made once: a process loads some hundred files instead of
 * three thousand, in half the time of the processor. Outside a run it is the source.
 * @param script the path of one of `PROGRAMS`
 */
export async function bundled(script: string): Promise<string> {
  const folder = await madeOnce('programs', makeBundle);
  return folder === undefined ? script : join(folder, bundleOf(script));
}

/** Where a program keeps what it has compiled: that of bundles goes with the run. */
export function compileCacheOf(program: string): string {
  if (program.endsWith('.mjs')) return join(dirname(program), 'compiled');
  return process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'symbolon-compile-cache');
}

async function makeBundle(folder: string): Promise<void> {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: Object.fromEntries(PROGRAMS.map((script) => [nameOf(script), script])),
    platform: 'node',
    external: WITH_FILES,
    logLevel: 'silent',
    plugins: [
      {
        name: 'places',
        transform: {
          filter: { id: { exclude: /node_modules/ }, code: 'import.meta' },
          handler: withPlaces,
        },
      },
    ],
  });
  await bundle.write({
    dir: folder,
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    // Errors are recognised by the names of their classes.
    keepNames: true,
  });
  await bundle.close();
  // What stayed outside is found where it is.
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}

/** A module looks for files beside its source, and starts the bundles of scripts that have one. */
function withPlaces(code: string, path: string): string {
  const url = pathToFileURL(path);
  return code
    .replace(STARTED, (all, to: string) => {
      const script = fileURLToPath(new URL(to, url));
      return PROGRAMS.includes(script) ? `new URL('./${bundleOf(script)}', import.meta.bundle)` : all;
    })
    .replaceAll('import.meta.url', JSON.stringify(url.href))
    .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
    .replaceAll('import.meta.bundle', 'import.meta.url');
}

const bundleOf = (script: string) => `${nameOf(script)}.mjs`;
const nameOf = (script: string) => `${basename(dirname(script))}-${basename(script, '.ts')}`;
