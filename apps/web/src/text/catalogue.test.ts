import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { de } from './de.ts';
import { en } from './en.ts';
import { languages } from './language.ts';

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

test('every text is there in every language, with the same values in it', () => {
  assert.deepEqual(Object.keys(de).sort(), Object.keys(en).sort());
  for (const [key, text] of Object.entries(en)) {
    const other = de[key as keyof typeof de];
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
