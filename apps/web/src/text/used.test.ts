import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemFieldTypes } from '@symbolon/field-types';
import { errorCatalogue } from '@symbolon/protocol';
import { en } from './en.ts';
import { enInside } from './inside/en.ts';
import { enOperator } from './operator/en.ts';
import { enPortal } from './portal/en.ts';

const SOURCES = join(import.meta.dirname, '..');
const PACKAGES = join(SOURCES, '../../../packages');
const sourcesIn = (folder: string, pattern: string) =>
  globSync(pattern, { cwd: folder })
    .filter((file) => !/\.test\.tsx?$|^text[/\\]/.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
const literalsIn = (sources: readonly string[]) =>
  new Set(sources.flatMap((source) => [...source.matchAll(/['"]([\w.]+)['"]/g)].map(([, text]) => text)));

const pages = sourcesIn(SOURCES, '**/*.{ts,tsx}');
const inPages = literalsIn(pages);
/** Keys that are made of parts: `documents.state.${state}`. */
const made = pages
  .flatMap((source) => [...source.matchAll(/`((?:[\w.]|\$\{[^}`]*\})+)`/g)].map(([, text = '']) => text))
  // What begins with a part and has another one would be every key.
  .filter((text) => /^(?:\w+\.[\w.]*\$\{|\$\{[^}]*\}\.[\w.]+$)/.test(text))
  .map((text) => text.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '[\\w.]+'))
  .map((text) => new RegExp(`^${text}$`));

const anywhere = literalsIn([...pages, ...sourcesIn(PACKAGES, '*/src/**/*.{ts,tsx}')]);
const types = new Set(systemFieldTypes.map(({ type }) => type));
const members = new Set(systemFieldTypes.flatMap(({ fields }) => fields?.map(({ key }) => key) ?? []));

/** What the pages say of things that others name: texts that are looked for, and may not be there. */
const NAMED_BY_OTHERS: Readonly<Record<string, (name: string) => boolean>> = {
  error: (name) => {
    // The SDK puts a name before the codes of the packages that it uses.
    const isKey = (key: string) =>
      key in errorCatalogue || anywhere.has(key) || anywhere.has(key.replace(/^(?:sdk|crypto)\./, ''));
    return isKey(name) || isKey(name.slice(0, name.lastIndexOf('.')));
  },
  type: (name) => types.has(name),
  member: (name) => members.has(name),
  claim: (name) => name === 'name' || name === 'email',
  'flow.issue': (name) => anywhere.has(name),
  'pdfs.problem': (name) => anywhere.has(name),
  try: (name) => anywhere.has(name),
  'plugins.builtin': (name) => anywhere.has(name),
};

function isUsed(key: string): boolean {
  const prefix = Object.keys(NAMED_BY_OTHERS).find((each) => key.startsWith(`${each}.`));
  if (inPages.has(key) || inPages.has(key.replace(/\.(?:one|other)$/, ''))) return true;
  if (prefix !== undefined) return NAMED_BY_OTHERS[prefix]?.(key.slice(prefix.length + 1)) ?? false;
  return made.some((pattern) => pattern.test(key));
}

test('every text of the catalogues is used by a page', () => {
  assert.ok(made.length > 20 && inPages.size > 500, 'keys were found');
  const unused = Object.keys({ ...en, ...enInside, ...enPortal, ...enOperator }).filter(
    (key) => !isUsed(key),
  );
  assert.deepEqual(unused, []);
});

test('every type of the platform is named by the pages, in their language', () => {
  for (const type of types) assert.ok(`type.${type}` in en, type);
});
