import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '@symbolon/protocol';
import fc from 'fast-check';
import { proves } from '../testing/evidence.ts';
import { parseJsonBody } from './json-body.ts';

const parse = (text: string) => parseJsonBody(Buffer.from(text));
const nested = (depth: number, inside: string) => `${'['.repeat(depth)}${inside}${']'.repeat(depth)}`;

test('a JSON body is parsed to the value it describes', () => {
  const values = fc.jsonValue({ maxDepth: 5 }).filter((value) => {
    const text = JSON.stringify(value);
    return value !== null && !text.includes('\\u') && !text.includes('__proto__');
  });
  fc.assert(
    fc.property(values, (value) => {
      const text = JSON.stringify(value);
      assert.deepEqual(parse(text), JSON.parse(text));
    }),
  );
});

test('brackets inside strings do not count as nesting of a JSON body', () => {
  const brackets = fc.string({ unit: fc.constantFrom('[', '{', '"', '\\', ']', 'a') });
  proves('limit:jsonBodyDepth');
  fc.assert(
    fc.property(brackets, fc.integer({ min: 1, max: limits.jsonBodyDepth }), (text, depth) => {
      assert.ok(Array.isArray(parse(nested(depth, JSON.stringify(text)))));
      assert.throws(() => parse(nested(limits.jsonBodyDepth + depth, JSON.stringify(text))), {
        key: 'request.malformed',
      });
    }),
  );
});

test('text that is no JSON is refused, however its strings end', () => {
  for (const text of ['"', '"\\', '"\\"', '{"a":"', '["\\\\\\"]', '{', 'nothing']) {
    assert.throws(() => parse(text), { key: 'request.malformed' }, text);
  }
});
