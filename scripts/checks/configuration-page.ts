import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configVariables } from '../../packages/server/src/core/config-variables.ts';
import { fileVariable, secretVariables } from '../../packages/server/src/core/secret-files.ts';

const TABLE = 'packages/server/src/core/config-variables.ts';
const PAGE = 'docs/configuration.md';

/** Checks the page about configuration against the table of variables that the platform reads. */
export function configurationPage(root: string): string[] {
  if (!existsSync(join(root, PAGE))) return [`${PAGE}: missing`];
  const names = configVariables.map(({ name }) => name);
  return undocumentedNames(names, readFileSync(join(root, PAGE), 'utf8'));
}

/** One line for every name that the page leaves out, and for every `SYMBOLON_…` of the page that nothing reads. */
export function undocumentedNames(names: readonly string[], page: string): string[] {
  const mentioned = new Set(page.match(/\b[A-Z][A-Z0-9_]*\b/g));
  const missing = names.filter((name) => !mentioned.has(name));
  const codeSpans = [...page.matchAll(/`(SYMBOLON_[A-Z0-9_]+)(?:=[^`]*)?`/g)].map(([, name = '']) => name);
  const files = secretVariables.map(fileVariable);
  const unknown = [...new Set(codeSpans)].filter((name) => ![...names, ...files].includes(name));
  return [
    ...missing.map((name) => `${PAGE}: ${name} is missing`),
    ...unknown.map((name) => `${PAGE}: ${name} is not in the table of ${TABLE}`),
  ];
}
