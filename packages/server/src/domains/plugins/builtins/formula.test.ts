import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFormula } from './formula.ts';

const parse = (text: string) => parseFormula(text, new Set(['a', 'b']));

test('what binds more is read first, and a sign belongs to what follows it', () => {
  const [a, b] = [
    { type: 'ref', key: 'a' },
    { type: 'ref', key: 'b' },
  ];
  const product = { type: 'math', op: 'mul', args: [b, { type: 'math', op: 'neg', args: [a] }] };
  assert.deepEqual(parse('a + b * -a'), { type: 'math', op: 'add', args: [a, product] });
});

test('what goes on after its end, stops before it or names something else is no formula', () => {
  for (const text of ['', 'a b', 'a)', '(a', 'a +', 'c', 'round a', 'round(a', '(a b)'])
    assert.equal(parse(text), undefined, text);
});

test('parentheses stand in each other fifty times, and a formula has five hundred characters', () => {
  const nested = (levels: number) => parse(`${'('.repeat(levels)}a${')'.repeat(levels)}`);
  assert.deepEqual([nested(50)?.type, nested(51)], ['ref', undefined]);
  assert.deepEqual([parse('a'.padEnd(500))?.type, parse('a'.padEnd(501))], ['ref', undefined]);
});
