/**
 * Bundles the platform and its command: a process loads some dozen files instead of two thousand five hundred, in a fraction of the
 * work. Outside stay packages with native code, with WebAssembly, or with files that they look for beside their own.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from 'rolldown';

const ROOT = join(import.meta.dirname, '..');

/** What is used here of the manifest of a package. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
export const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** The packages that stay outside, and are installed beside the bundle. */
export const OUTSIDE: readonly string[] = [
  ...['@node-rs/argon2', 'harfbuzzjs', 'pdfjs-dist', 'sharp'],
  ...Object.keys(manifestOf(join(ROOT, 'packages/fonts')).dependencies ?? {}),
];
const isOutside = (name: string) =>
  name.startsWith('node:') ||
  // Optional, and not among the dependencies.
  name === 'pg-native' ||
  // Draws contracts before they are sent, which the platform itself does not.
  name === '@embedpdf/pdfium' ||
  OUTSIDE.some((each) => name === each || name.startsWith(`${each}/`));

/** A file that a module names beside its own: a program that it starts, or data that it reads. */
const BESIDE = /new URL\('(\.[^']+)', import\.meta\.url\)/g;

/**
 * Writes the bundle of `packages/cli/src/main.ts` into a folder: `main.js`, what it loads later, the programs that it starts as processes and
 * threads, and the data that it reads.
 * @returns the packages that are in it, by their folders
 */
export async function bundlePlatform(folder: string): Promise<ReadonlySet<string>> {
  // Installed without what builds, nothing else of these scripts needs it.
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: { main: join(ROOT, 'packages/cli/src/main.ts') },
    platform: 'node',
    external: isOutside,
    logLevel: 'warn',
    plugins: [filesBeside()],
  });
  const { output } = await bundle.write({
    dir: folder,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    assetFileNames: '[name][extname]',
    // Errors are recognised by the names of their classes.
    keepNames: true,
    comments: { legal: false, annotation: false, jsdoc: false },
  });
  await bundle.close();
  const chunks = output.filter((file) => file.type === 'chunk');
  for (const { fileName, code } of chunks) writeFileSync(join(folder, fileName), inAscii(code));
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds);
  return new Set(modules.flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? []));
}

/** All files of a bundle lie in one folder, so what a module names beside its own is there under its last name. */
function filesBeside(): Plugin {
  return {
    name: 'files-beside',
    transform: {
      filter: { id: { exclude: /node_modules/ }, code: 'import.meta.url' },
      handler(code, id) {
        return code.replace(BESIDE, (_all, to: string) => {
          const path = fileURLToPath(new URL(to, pathToFileURL(id)));
          if (!path.endsWith('.ts')) {
            this.emitFile({ type: 'asset', fileName: basename(path), source: readFileSync(path) });
            return `new URL('./${basename(path)}', import.meta.url)`;
          }
          const name = basename(path, '.ts');
          this.emitFile({ type: 'chunk', id: path, fileName: `${name}.js` });
          return `new URL('./${name}.js', import.meta.url)`;
        });
      },
    },
  };
}

/** A single other character makes the engine keep the whole text of a file in twice the memory, and read it slower. */
const inAscii = (code: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what is not ASCII
  code.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
