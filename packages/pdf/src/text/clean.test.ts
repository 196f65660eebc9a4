import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanText } from './clean.ts';

test('a name cannot push words away, nor hide some', () => {
  const gaps = [' '.repeat(40), '\u00a0\u2003\u3000', ' \u200b '.repeat(20), '\u3164\u2800 \uffa0', '\r\n\t'];
  for (const gap of gaps) assert.equal(cleanText(`Ada${gap}Lovelace`), 'Ada Lovelace', JSON.stringify(gap));
  assert.equal(cleanText('Love\u00adlace\u202e'), 'Lovelace');
});
