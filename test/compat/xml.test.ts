import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readXml } from '../../packages/sdk/src/webhooks/read-xml.ts';
import { toXml } from '../../packages/server/src/http/xml.ts';

const DEEPEST = 20;

test('whatever the platform writes as XML, the SDK reads, with every text', () => {
  const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 8 });
  const texts = fc.dictionary(text, text, { minKeys: 1, maxKeys: 5 });
  const property = fc.property(texts, (payload) => {
    const read = readXml(toXml({ rows: [payload], and: payload }), DEEPEST);
    assert.ok(typeof read === 'object' && !Array.isArray(read), JSON.stringify(payload));
    assert.deepEqual((read.rows as unknown[])[0], read.and);
    const written = new Set(Object.values(payload).map(carried));
    for (const value of Object.values(read.and as object))
      assert.ok(written.has(value), JSON.stringify(value));
  });
  fc.assert(property, { numRuns: 2_000 });
});

test('names of members with marks and signs between letters arrive', () => {
  for (const name of ['कि', 'l·l', 'e\u0301', 'a‿b', '𝔸', 'ⅷ', 'ſ'])
    assert.deepEqual(readXml(toXml({ [name]: 'x' }), DEEPEST), { [name]: 'x' }, name);
});

/** A text as XML carries it: line ends become line feeds, and what it has no form for is replaced. */
function carried(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/\r\n?/g, '\n');
}
