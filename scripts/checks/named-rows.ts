import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Section } from '@symbolon/testkit/evidence/evidence-rows';
import { declaredSections, problemsOf } from './evidence.ts';

/** Rows that tests name by a literal; those of other kinds are in the type `RowId`. */
const NAMED = /'((?:route|whitelist):[^']+)'/g;

/** Checks that the routes and patterns that tests name exist, and the rows that are excused from a proof. */
export async function namedRows(root: string, files: readonly string[]): Promise<string[]> {
  const declared = await declaredSections();
  return [...problemsOf(declared, [], false), ...madeUpRows(root, files, declared)];
}

/** One line for each literal in a test that names a route or a pattern which is no row. */
export function madeUpRows(root: string, files: readonly string[], declared: readonly Section[]): string[] {
  const rows = new Set<string>(declared.flatMap((section) => section.rows.map(({ id }) => id)));
  return files
    .filter((file) => file.endsWith('.test.ts') && !file.startsWith('scripts/'))
    .flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(NAMED)]
        .filter(([, row = '']) => !rows.has(row))
        .map(([, row]) => `${file} names ${row}, which is no row`),
    );
}
