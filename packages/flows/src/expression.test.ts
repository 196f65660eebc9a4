import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FlowConstant, FlowExpression } from '@symbolon/protocol';
import { Budget } from './budget.ts';
import { withConstants } from './constants.ts';
import { evaluate } from './expression.ts';

const EVALUATION = {
  referenceDate: '2026-06-15',
  values: new Map<string, unknown>([
    ['name', 'Ada'],
    ['rent', '950.50'],
    ['zero', 0],
    ['yes', true],
    ['blank', ''],
    ['nothing', null],
    ['picks', ['cat', 'dog']],
    ['born', ' 1990-06-16 '],
  ]),
};

const lit = (value: unknown, type = typeof value === 'string' ? 'text' : typeof value) => ({
  type: 'lit',
  value_type: type,
  value,
});
const NULL = { type: 'lit', value_type: 'text', value: null };
const ref = (key: string) => ({ type: 'ref', key });
const math = (op: string, ...args: unknown[]) => ({
  type: 'math',
  op,
  args: args.map((arg) => (typeof arg === 'number' ? lit(arg) : arg)),
});
const concat = (sep: unknown, ...parts: unknown[]) => ({ type: 'concat', sep, parts });
const between = (from: unknown, to: unknown, unit: string) => ({
  type: 'datediff',
  unit,
  from: typeof from === 'string' ? lit(from, 'date') : from,
  to: typeof to === 'string' ? lit(to, 'date') : to,
});
const when = (condition: unknown, result: unknown) =>
  Object.fromEntries([
    ['when', condition],
    ['then', result],
  ]);
const choose = (cases: unknown, otherwise?: unknown) => ({ type: 'if', cases, else: otherwise });
const HOLDS = null;
const FAILS = { op: 'or', children: [] };

const table: [section: string, rows: [expected: unknown, expression: unknown][]][] = [
  [
    'literals and references',
    [
      ['Ada', lit('Ada')],
      ['12', lit(12, 'text')],
      [12, lit(12)],
      [12, lit(' 12 ', 'number')],
      [null, lit('twelve', 'number')],
      [null, lit(true, 'number')],
      [false, lit(false)],
      [true, lit('true', 'boolean')],
      [false, lit('false', 'boolean')],
      [null, lit('True', 'boolean')],
      ['2026-01-01', lit('2026-01-01', 'date')],
      [null, NULL],
      ['', lit('')],
      ['Ada', ref('name')],
      [0, ref('zero')],
      [null, ref('nothing')],
      [null, ref('missing')],
      [null, ref('constructor')],
      [null, { type: 'ref', key: 1 }],
      ['2026-06-15', { type: 'today' }],
      [null, { type: 'now' }],
      [null, { type: 'toString' }],
      [null, null],
      [null, 'today'],
      [null, []],
    ],
  ],
  [
    'if',
    [
      ['a', choose([when(HOLDS, lit('a')), when(HOLDS, lit('b'))], lit('c'))],
      ['b', choose([when(FAILS, lit('a')), when(HOLDS, lit('b'))], lit('c'))],
      ['c', choose([when(FAILS, lit('a'))], lit('c'))],
      ['c', choose([], lit('c'))],
      [null, choose([when(FAILS, lit('a'))])],
      [null, choose([when(FAILS, lit('a'))], null)],
      [null, choose('x', undefined)],
      ['c', choose([null, 1], lit('c'))],
      ['Ada', choose([when({ op: 'eq', field: 'rent', value: 950.5 }, ref('name'))])],
    ],
  ],
  [
    'a nested if that yields "" (or another value that counts as false)',
    [
      ['', choose([when(HOLDS, choose([when(HOLDS, lit(''))], lit('inner')))], lit('outer'))],
      ['', choose([when(FAILS, lit('a'))], choose([when(HOLDS, lit(''))], lit('b')))],
      [0, choose([when(HOLDS, lit(0))], lit(1))],
      [false, choose([when(HOLDS, lit(false))], lit(true))],
      [null, choose([when(HOLDS, NULL)], lit('else'))],
      ['-', concat('-', choose([when(HOLDS, lit(''))], lit('x')), lit(''))],
    ],
  ],
  [
    'concat',
    [
      ['Ada 950.50', concat(' ', ref('name'), ref('rent'))],
      ['a--b', concat('-', lit('a'), NULL, lit('b'))],
      ['Ada0true', concat(undefined, ref('name'), ref('zero'), ref('yes'))],
      ['cat, dog', concat('', ref('picks'))],
      ['', concat(',')],
      ['', concat(',', ref('missing'))],
      ['ab', concat(5, lit('a'), lit('b'))],
      ['', { type: 'concat' }],
    ],
  ],
  [
    'math',
    [
      [0, math('add')],
      [1, math('mul')],
      [6, math('add', 1, 2, 3)],
      [24, math('mul', 2, 3, 4)],
      [1901, math('mul', ref('rent'), 2)],
      [null, math('add', 1, NULL)],
      [null, math('mul', 0, ref('name'))],
      [null, math('add', 1, ref('yes'))],
      [null, math('add', 1, ref('blank'))],
      [5, math('sub', 8, 3)],
      [5, math('sub', 8, 3, 1)],
      [5, math('sub', 8, 3, NULL)],
      [null, math('sub', 8)],
      [null, math('sub')],
      [2.5, math('div', 5, 2, 0)],
      [null, math('div', 5, 0)],
      [null, math('div', 0, 0)],
      [null, math('mod', 5, 0)],
      [1, math('mod', 7, 3)],
      [-1, math('mod', -7, 3)],
      [1, math('mod', 7, -3)],
      [0, math('mod', -6, 3)],
      [-3, math('neg', 3)],
      [0, math('neg', 0)],
      [null, math('neg')],
      [-3, math('neg', 3, NULL)],
      [3, math('abs', -3)],
      [3, math('round', 2.5)],
      [-3, math('round', -2.5)],
      [1, math('round', 0.5)],
      [0, math('round', -0.4)],
      [0, math('round', 0.49999999999999994)],
      [2, math('floor', 2.9)],
      [-3, math('floor', -2.1)],
      [3, math('ceil', 2.1)],
      [-2, math('ceil', -2.9)],
      [7, math('max', 3, NULL, 7, ref('name'))],
      [3, math('min', 7, ref('missing'), 3)],
      [null, math('max', NULL, ref('name'))],
      [null, math('min')],
      [null, math('mul', 1e308, 10)],
      [null, math('pow', 2, 3)],
      [null, { type: 'math' }],
      [0, { type: 'math', op: 'add', args: 'x' }],
    ],
  ],
  [
    'datediff',
    [
      [1, between('2026-02-28', '2026-03-01', 'days')],
      [2, between('2024-02-28', '2024-03-01', 'days')],
      [-1, between('2026-03-01', '2026-02-28', 'days')],
      [3652058, between('0001-01-01', '9999-12-31', 'days')],
      [1, between('2026-01-01', '2026-01-14', 'weeks')],
      [2, between('2026-01-01', '2026-01-15', 'weeks')],
      [0, between('2026-01-02', '2026-01-01', 'weeks')],
      [-1, between('2026-01-09', '2026-01-01', 'weeks')],
      [-4, between('2026-06-15', '2026-03-10', 'months')],
      [-3, between('2026-06-15', '2026-03-15', 'months')],
      [2, between('2026-01-15', '2026-04-14', 'months')],
      [3, between('2026-01-15', '2026-04-15', 'months')],
      [0, between('2026-01-31', '2026-02-28', 'months')],
      [14, between('2024-12-01', '2026-02-01', 'months')],
      [35, between(ref('born'), { type: 'today' }, 'years')],
      [36, between('1990-06-15', { type: 'today' }, 'years')],
      [-2, between('2026-06-15', '2025-03-10', 'years')],
      [-1, between('2026-03-10', '2025-03-10', 'years')],
      [0, between('2026-03-10', '2026-12-31', 'years')],
      [1, between(' 2026-01-01\n', '2026-01-02', 'days')],
      [null, between('2026-02-30', '2026-03-01', 'days')],
      [null, between('2026-2-3', '2026-03-01', 'days')],
      [null, between('2026-02-03T00:00:00Z', '2026-03-01', 'days')],
      [null, between('20260203', '2026-03-01', 'days')],
      [null, between(ref('missing'), '2026-03-01', 'days')],
      [null, between('2026-03-01', ref('picks'), 'days')],
      [null, between('2026-02-03', '2026-03-01', 'hours')],
      [null, { type: 'datediff', unit: 'days' }],
    ],
  ],
];
for (const [section, rows] of table) {
  describe(`${section} (wire 13.4)`, () => {
    for (const [expected, expression] of rows) {
      it(`${JSON.stringify(expression)} is ${JSON.stringify(expected)}`, () => {
        assert.equal(evaluate(expression, EVALUATION), expected);
      });
    }
  });
}

describe('constants (wire 13.4)', () => {
  const constants = (entries: Record<string, unknown>): FlowConstant[] =>
    Object.entries(entries).map(([key, expr]) => ({
      key,
      label: key,
      result_type: 'text',
      expr: expr as FlowExpression,
    }));
  const compute = (entries: Record<string, unknown>, reversed = false) => {
    const list = constants(entries);
    const values = withConstants(reversed ? list.reverse() : list, EVALUATION);
    return Object.keys(entries).map((key) => values.get(key));
  };
  const both = (entries: Record<string, unknown>, expected: unknown[]) => {
    assert.deepEqual(compute(entries), expected);
    assert.deepEqual(compute(entries, true), expected);
  };

  it('a constant reads others wherever they stand, in conditions too', () => {
    both(
      {
        a: concat(' ', ref('b'), ref('name')),
        b: choose([when({ op: 'gt', field: 'c', value: 11000 }, lit('dear'))], lit('cheap')),
        c: math('mul', ref('rent'), 12),
      },
      ['dear Ada', 'dear', 11406],
    );
  });

  it('a constant that reads back reads null, in whatever order they stand', () => {
    both({ a: concat('', lit('a'), ref('b')), b: concat('', lit('b'), ref('a')) }, ['ab', 'b']);
    both({ self: concat('', lit('x'), ref('self')) }, ['x']);
  });

  it('an answer under the key of a constant is hidden by it', () => {
    both({ name: concat('', lit('x'), ref('name')) }, ['x']);
  });

  it('a long chain of constants is no deep recursion, and a text that doubles ends as null', () => {
    const chain: Record<string, unknown> = { c0: lit('x') };
    for (let index = 1; index < 900; index++) {
      chain[`c${index}`] = concat('', ref(`c${index - 1}`), ref(`c${index - 1}`));
    }
    const values = compute(chain);
    assert.equal(String(values[16]).length, 65_536);
    assert.equal(values[17], null);
    assert.equal(values[899], '');
  });

  it('the depth of an expression does not matter', () => {
    let expression: unknown = lit(1);
    for (let level = 0; level < 100_000; level++) expression = math('neg', expression);
    assert.equal(evaluate(expression, EVALUATION), 1);
    let branches: unknown = lit('end');
    for (let level = 0; level < 100_000; level++) branches = choose([when(HOLDS, branches)]);
    assert.equal(evaluate(branches, EVALUATION), 'end');
  });

  it('long arguments use up the steps sooner', () => {
    const long = { ...EVALUATION, values: new Map([['long', '1'.repeat(2_000)]]) };
    const sum = (count: number) => math('max', ...Array.from({ length: count }, () => ref('long')), lit(1));
    assert.equal(evaluate(sum(9), long, new Budget(1_000)), 1);
    assert.equal(evaluate(sum(10), long, new Budget(1_000)), null);
  });

  it('an expression in a circle has no value', () => {
    const circle: { type: string; op: string; args: unknown[] } = { type: 'math', op: 'add', args: [] };
    circle.args.push(circle);
    assert.equal(evaluate(circle, EVALUATION), null);
    const branch = choose([], undefined);
    branch.else = branch;
    assert.equal(evaluate(branch, EVALUATION), null);
  });
});
