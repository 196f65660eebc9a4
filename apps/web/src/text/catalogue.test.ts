import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { systemFieldTypes, systemRegistry } from '@symbolon/field-types';
import { de } from './de.ts';
import { en } from './en.ts';
import { deInside } from './inside/de.ts';
import { enInside } from './inside/en.ts';
import { languages } from './language.ts';
import { deOperator } from './operator/de.ts';
import { enOperator } from './operator/en.ts';
import { optionText, optionTexts } from './options.ts';
import { dePortal } from './portal/de.ts';
import { enPortal } from './portal/en.ts';

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

const catalogues: readonly [Record<string, string>, Record<string, string>][] = [
  [en, de],
  [enInside, deInside],
  [enPortal, dePortal],
  [enOperator, deOperator],
];

test('every text is there in every language, with the same values in it', () => {
  for (const [own, others] of catalogues)
    assert.deepEqual(Object.keys(others).sort(), Object.keys(own).sort());
  for (const [key, text, other = ''] of catalogues.flatMap(([own, others]) =>
    Object.entries(own).map(([key, text]) => [key, text, others[key]] as const),
  )) {
    // A count of one may be said without its number.
    if (!key.endsWith('.one')) assert.deepEqual(placeholders(other), placeholders(text), key);
    for (const each of [text, other]) {
      assert.ok(each.trim() !== '', key);
      assert.doesNotMatch(each, /!/, `${key} shouts`);
    }
  }
});

test('the service worker speaks every language of the catalogue', () => {
  const source = readFileSync(new URL('../service-worker.ts', import.meta.url), 'utf8');
  const kindsOf = (block = '') => [...block.matchAll(/^ +(\w+): '.+',$/gm)].map(([, kind]) => kind);
  const [, english] = /ENGLISH[^=]*= \{\n([^}]*)\}/.exec(source) ?? [];
  assert.ok(kindsOf(english).includes('message'));
  for (const language of Object.keys(languages).filter((name) => name !== 'en')) {
    const [, block] = new RegExp(`^ +${language}: \\{\\n([^}]*)\\}`, 'm').exec(source) ?? [];
    assert.deepEqual(kindsOf(block), kindsOf(english), language);
  }
});

test('every option of the types of the platform is named in every language, and no other', () => {
  const own = systemFieldTypes.flatMap(({ type, options }) =>
    (options ?? []).map((option) => ({ type, option })),
  );
  assert.ok(own.length > 3);
  // English is what is stored.
  for (const language of Object.keys(languages).filter((name) => name !== 'en')) {
    for (const { type, option } of own)
      assert.ok(optionText(systemRegistry.resolve(type)!, option, language), `${type} ${option} ${language}`);
    const named = Object.values(optionTexts[language] ?? {}).flatMap((texts) => Object.keys(texts));
    assert.deepEqual(named.sort(), own.map(({ option }) => option).sort());
  }
});
