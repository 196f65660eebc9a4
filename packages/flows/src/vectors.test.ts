import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { expressionTypes } from '@symbolon/protocol/constants';
import { checkDefinition } from './check-definition.ts';
import { evaluate } from './expression.ts';
import { contractFlow, surroundings } from './testing/samples.ts';
import { upgradeDefinition } from './upgrade.ts';

/** Answers as texts, as they were sealed. */
const VALUES = new Map<string, unknown>([
  ['name', 'Ada'],
  ['rent', '950.50'],
  ['born', '1990-06-16'],
  ['pet', 'cat'],
  ['rooms', '["bath","kitchen"]'],
]);
const TODAY = '2026-06-15';

const lit = (type: string, value: string | number | boolean | null) =>
  JSON.stringify({ type: 'lit', value_type: type, value });
const dates = (unit: string, from: string, to: string) =>
  `{"type":"datediff","unit":"${unit}","from":${lit('date', from)},"to":${lit('date', to)}}`;
const math = (op: string, ...args: string[]) => `{"type":"math","op":"${op}","args":[${args.join()}]}`;
const one = (value: number | null) => lit('number', value);
const REF = '{"type":"ref","key":"rent"}';

/** Expressions as programs of other makers write and compute them, with their results. */
const VECTORS: [expected: unknown, expression: string][] = [
  [42, '{"type":"lit","value_type":"number","value":42}'],
  ['Ada', '{"type":"lit","value_type":"text","value":"Ada"}'],
  ['2026-06-15', '{"type":"lit","value_type":"date","value":"2026-06-15"}'],
  [true, '{"type":"lit","value_type":"boolean","value":true}'],
  [null, '{"type":"lit","value_type":"text","value":null}'],
  ['950.50', '{"type":"ref","key":"rent"}'],
  ['["bath","kitchen"]', '{"type":"ref","key":"rooms"}'],
  [null, '{"type":"ref","key":"missing"}'],
  [TODAY, '{"type":"today"}'],
  [
    'meow',
    `{"type":"if","cases":[{"when":{"field":"pet","op":"eq","value":"cat"},"then":${lit('text', 'meow')}}],"else":${lit('text', 'none')}}`,
  ],
  [
    'none',
    `{"type":"if","cases":[{"when":{"field":"pet","op":"eq","value":"dog"},"then":${lit('text', 'wuff')}}],"else":${lit('text', 'none')}}`,
  ],
  [null, '{"type":"if","cases":[],"else":null}'],
  [
    'Ada, , 950.50',
    `{"type":"concat","parts":[{"type":"ref","key":"name"},{"type":"ref","key":"x"},${REF}],"sep":", "}`,
  ],
  [11406, math('mul', REF, one(12))],
  [5, math('add', one(2), one(3))],
  [0, math('add')],
  [1, math('mul')],
  [null, math('add', one(2), one(null))],
  [-1, math('sub', one(2), one(3), one(9))],
  [0.5, math('div', one(1), one(2))],
  [null, math('div', one(1), one(0))],
  [-1, math('mod', one(-7), one(3))],
  [-2, math('neg', one(2))],
  [2, math('abs', one(-2))],
  [3, math('round', one(2.5))],
  [-3, math('round', one(-2.5))],
  [-3, math('floor', one(-2.5))],
  [-2, math('ceil', one(-2.5))],
  [9, math('max', one(2), one(null), one(9))],
  [2, math('min', one(2), one(null), one(9))],
  [null, math('sub', one(2))],
  [-19, dates('days', '2026-07-20', '2026-07-01')],
  [-2, dates('weeks', '2026-07-20', '2026-07-01')],
  [2, dates('weeks', '2026-07-01', '2026-07-20')],
  [0, dates('weeks', '2026-07-06', '2026-07-01')],
  [-4, dates('months', '2026-06-15', '2026-03-10')],
  [-3, dates('months', '2026-06-15', '2026-03-20')],
  [35, dates('years', '1990-06-16', TODAY)],
  [-1, dates('years', '2026-06-15', '2026-06-14')],
  [null, dates('days', '2026-6-1', TODAY)],
];

describe('expressions as programs of other makers send them', () => {
  it('have the value that these programs compute', () => {
    const seen = new Set<unknown>();
    for (const [expected, text] of VECTORS) {
      const expression = JSON.parse(text);
      seen.add(expression.type);
      const value = evaluate(expression, { values: VALUES, referenceDate: TODAY });
      assert.equal(Object.is(value, -0) ? 'minus zero' : value, expected, text);
    }
    assert.deepEqual([...seen].sort(), [...expressionTypes].sort());
  });

  it('are taken by the checks, and those with `kind` in place of `type` are not', () => {
    const issuesOf = (expr: unknown) => {
      const flow = contractFlow();
      const constant = { key: 'yearly', label: 'Yearly', result_type: 'number', expr };
      return checkDefinition({ ...flow, constants: [constant] }, surroundings).map(({ code }) => code);
    };
    for (const [, text] of VECTORS) {
      const found = issuesOf(JSON.parse(text)).filter((code) => code !== 'reference_unknown');
      assert.deepEqual(found, [], text);
    }
    assert.deepEqual(issuesOf({ kind: 'today' }), ['operator_unknown']);
  });
});

describe('definitions whose expressions have `kind` in place of `type`', () => {
  const byKind = (text: string) => JSON.parse(text.replaceAll('"type":', '"kind":'));

  it('are upgraded wherever an expression stands', () => {
    for (const [, text] of VECTORS) {
      const field = { kind: 'field', slug: 'a', default: byKind(text), min: byKind(text), max: 3 };
      const older = {
        nodes: [{ elements: [field, { kind: 'text', body: 'x', min: byKind(text) }] }],
        constants: [{ key: 'a', expr: byKind(text) }, null, { key: 'b' }],
      };
      const expr = JSON.parse(text);
      assert.deepEqual(upgradeDefinition(older), {
        nodes: [
          {
            elements: [
              { ...field, default: expr, min: expr },
              { kind: 'text', body: 'x', min: byKind(text) },
            ],
          },
        ],
        constants: [{ key: 'a', expr }, null, { key: 'b' }],
      });
    }
  });

  it('keep what a literal or a condition says, and what they say by type already', () => {
    const value = { kind: 'lit' };
    const when = { op: 'eq', field: 'a', value: { kind: 'ref' } };
    // biome-ignore lint/suspicious/noThenProperty: it is the name of the member.
    const cases = [{ when, then: { kind: 'lit', value_type: 'text', value } }];
    const both = { type: 'ref', kind: 'lit', key: 'a' };
    const upgraded = upgradeDefinition({
      nodes: [],
      constants: [{ expr: { kind: 'if', cases, else: both } }],
    });
    assert.deepEqual(upgraded, {
      nodes: [],
      constants: [
        {
          expr: {
            type: 'if',
            // biome-ignore lint/suspicious/noThenProperty: it is the name of the member.
            cases: [{ when, then: { type: 'lit', value_type: 'text', value } }],
            else: both,
          },
        },
      ],
    });
  });

  it('may be nested as deeply as a body can be', () => {
    let expr: unknown = { kind: 'today' };
    for (let level = 0; level < 50_000; level++) expr = { kind: 'math', op: 'neg', args: [expr] };
    const upgraded = upgradeDefinition({ nodes: [], constants: [{ expr }] }) as {
      constants: { expr: { type: string } }[];
    };
    assert.equal(upgraded.constants[0]?.expr.type, 'math');
  });
});
