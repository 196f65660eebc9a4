import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FlowCondition, FlowExpression } from '@symbolon/flows';
import { dePortal } from '../../../text/portal/de.ts';
import { enPortal } from '../../../text/portal/en.ts';
import type { PortalTexts } from '../../../text/portal/index.tsx';
import { conditionSentence, expressionText } from './sentence.ts';

const textsOf = (catalogue: Readonly<Record<string, string>>): Pick<PortalTexts, 't'> => ({
  t: (key, values = {}) =>
    (catalogue[key] ?? key).replace(/\{(\w+)\}/g, (_whole, name: string) => String(values[name])),
});
const names = (key: string) => ({ weight: 'Weight', country: 'Country' })[key] ?? key;

const say = (condition: FlowCondition, catalogue: Readonly<Record<string, string>> = enPortal) =>
  conditionSentence(condition, names, textsOf(catalogue));

test('conditions are said as sentences', () => {
  const heavy = { op: 'gt', field: 'weight', value: 2500 } as const;
  const near = { op: 'in', field: 'country', value: ['DE', 'AT'] } as const;
  for (const [condition, sentence] of [
    [null, 'always'],
    [heavy, 'Weight is greater than 2500'],
    [near, 'Country is one of “DE”, “AT”'],
    [{ op: 'eq', field: 'country', value: '' }, 'Country is “”'],
    [{ op: 'empty', field: 'other' }, 'other is not answered'],
    [{ op: 'and', children: [heavy, near] }, 'Weight is greater than 2500 and Country is one of “DE”, “AT”'],
    [
      { op: 'or', children: [heavy, { op: 'and', children: [near, heavy] }] },
      'Weight is greater than 2500 or (Country is one of “DE”, “AT” and Weight is greater than 2500)',
    ],
    [{ op: 'not', children: [heavy] }, 'not (Weight is greater than 2500)'],
    [{ op: 'and', children: [] }, 'always'],
    [{ op: 'or', children: [] }, 'never'],
    [{ op: 'not', children: [] }, 'never'],
    [{ op: 'like' as 'eq', field: 'weight', value: 1 }, 'never'],
  ] satisfies [FlowCondition, string][]) {
    assert.equal(say(condition), sentence);
  }
  assert.equal(say(heavy, dePortal), 'Weight ist größer als 2500');
});

test('a condition that is nested without end is cut off', () => {
  let deep: FlowCondition = { op: 'answered', field: 'weight' };
  for (let level = 0; level < 10_000; level++) deep = { op: 'not', children: [deep] };
  assert.match(say(deep), /…/);
});

test('expressions are said as formulas', () => {
  const weight: FlowExpression = { type: 'ref', key: 'weight' };
  const two: FlowExpression = { type: 'lit', value_type: 'number', value: 2 };
  const product: FlowExpression = { type: 'math', op: 'mul', args: [weight, two] };
  for (const [expression, text] of [
    [product, 'Weight × 2'],
    [{ type: 'math', op: 'sub', args: [product, two] }, '(Weight × 2) − 2'],
    [{ type: 'math', op: 'max', args: [weight, two] }, 'max(Weight, 2)'],
    [{ type: 'concat', parts: [weight, two] }, 'Weight & 2'],
    [
      { type: 'datediff', unit: 'days', from: weight, to: { type: 'today' } },
      'days from Weight to the start of the run',
    ],
    [
      // biome-ignore lint/suspicious/noThenProperty: it is the name of the member.
      { type: 'if', cases: [{ when: { op: 'answered', field: 'country' }, then: two }] },
      'if Country is answered: 2; otherwise nothing',
    ],
  ] satisfies [FlowExpression, string][]) {
    assert.equal(expressionText(expression, names, textsOf(enPortal)), text);
  }
});
