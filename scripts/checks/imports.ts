import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** The sources of the server. */
export const SERVER = 'packages/server/src';

/** An import of one file of the server by another; paths are relative to `SERVER`. */
export interface Import {
  readonly from: string;
  readonly to: string;
  /** What is imported; empty for `import(…)` and imports of a whole module. */
  readonly names: readonly string[];
  /** Those of the names that are values, not types. */
  readonly values: readonly string[];
}

const STATIC = /(?:^|\n)\s*(?:import|export)\s(?<clause>[^'";]*?)\sfrom\s+['"](?<path>\.[^'"]*)['"]/g;
const BARE = /(?:\bimport\s*\(|(?:^|\n)\s*import)\s*['"](?<path>\.[^'"]*)['"]/g;

/**
 * All imports, of values and of types, between production files of the server.
 * @param files paths relative to `root`
 */
export function serverImports(root: string, files: readonly string[]): Import[] {
  const sources = files.filter(
    (file) =>
      file.startsWith(`${SERVER}/`) &&
      file.endsWith('.ts') &&
      !file.endsWith('.test.ts') &&
      !file.includes('/testing/'),
  );
  return sources.flatMap((file) =>
    importsIn(file.slice(SERVER.length + 1), readFileSync(join(root, file), 'utf8')),
  );
}

/** The imports of one file. */
export function importsIn(from: string, text: string): Import[] {
  const resolved = (path: string) => normalize(join(dirname(from), path));
  const found: Import[] = [];
  for (const { groups } of text.matchAll(STATIC)) {
    const members = /\{([^}]*)\}/.exec(groups?.clause ?? '')?.[1] ?? '';
    const listed = members
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    const names = listed.map((name) => name.replace(/^type\s+/, ''));
    const values = groups?.clause?.startsWith('type ') ? [] : listed.filter((name) => !/^type\s/.test(name));
    found.push({ from, to: resolved(groups?.path ?? ''), names, values });
  }
  for (const { groups } of text.matchAll(BARE)) {
    found.push({ from, to: resolved(groups?.path ?? ''), names: [], values: [] });
  }
  return found;
}
