import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const FOLDER = import.meta.dirname;
const STYLES = join(dirname(fileURLToPath(import.meta.resolve('@mantine/core/styles.css'))), 'styles');
const read = (file: string) => readFileSync(join(FOLDER, file), 'utf8');

/** The sheets that a file of styles brings. */
const broughtBy = (file: string) =>
  new Set([...read(file).matchAll(/@mantine\/core\/styles\/(\w+)\.layer\.css/g)].map(([, name]) => name));
/** The components that files take from the library. */
const usedIn = (files: readonly string[]) =>
  new Set(
    files
      .flatMap((file) => [...read(file).matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)])
      .flatMap(([, names = '']) => names.split(',').map((name) => name.trim())),
  );

test('every component of the library has its style in the pages that use it', () => {
  const isPortal = (file: string) => /\bportal\b/.test(file);
  const files = globSync('**/*.tsx', { cwd: FOLDER });
  const everywhere = broughtBy('styles.ts');
  const portal = new Set([...everywhere, ...broughtBy('parts/portal/styles.ts')]);
  const missing = (names: ReadonlySet<string>, styles: ReadonlySet<string | undefined>) =>
    [...names].filter((name) => existsSync(join(STYLES, `${name}.css`)) && !styles.has(name));
  assert.deepEqual(missing(usedIn(files.filter((file) => !isPortal(file))), everywhere), []);
  assert.deepEqual(missing(usedIn(files.filter(isPortal)), portal), []);
});
