import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { de } from './de.ts';
import { en } from './en.ts';

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
  const [, texts = ''] = /TEXTS[^=]*= \{(.*)\}/.exec(source) ?? [];
  assert.match(source, /ENGLISH = '/);
  assert.match(texts, /\bde: '/);
});
