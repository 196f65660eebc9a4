import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Budget } from './budget.ts';
import { holds } from './condition.ts';

const VALUES = new Map<string, unknown>([
  ['name', 'Ada'],
  ['zero', 0],
  ['zero_text', '0'],
  ['no', false],
  ['yes', true],
  ['nothing', null],
  ['blank', ''],
  ['age', '30'],
  ['seven', '07'],
  ['price', ' 9.50 '],
  ['date', '2026-03-10'],
  ['none', []],
  ['picks', '["cat","dog"]'],
  ['address', '{"street":"Main St","city":"Ghent"}'],
  ['counts', [1, '2']],
  ['file', {}],
  ['endless', Number.POSITIVE_INFINITY],
]);

const check = (expected: boolean, condition: unknown) =>
  it(`${JSON.stringify(condition)} ${expected ? 'holds' : 'does not hold'}`, () => {
    assert.equal(holds(condition, VALUES), expected);
  });
/** A row: whether the comparison holds, operator, field, value. */
type Row = [expected: boolean, op: string, field: string, value?: unknown];
const leaves = (...rows: Row[]) => {
  for (const [expected, op, field, value] of rows) check(expected, { op, field, value });
};
const YES = { op: 'answered', field: 'name' };
const NO = { op: 'empty', field: 'name' };

describe('groups (wire 13.3)', () => {
  for (const [expected, condition] of [
    [true, null],
    [true, { op: 'and', children: [] }],
    [false, { op: 'or', children: [] }],
    [false, { op: 'not', children: [] }],
    [true, { op: 'and', children: [YES, null, YES] }],
    [false, { op: 'and', children: [YES, NO, YES] }],
    [false, { op: 'and', children: [YES, YES, NO] }],
    [true, { op: 'or', children: [NO, YES, NO] }],
    [false, { op: 'or', children: [NO, NO] }],
    [true, { op: 'not', children: [NO] }],
    [true, { op: 'not', children: [NO, YES] }],
    [false, { op: 'not', children: [YES, NO] }],
    [false, { op: 'not', children: [null] }],
    [true, { op: 'not', children: [{ op: 'not', children: [YES] }] }],
    [
      true,
      {
        op: 'and',
        children: [
          { op: 'or', children: [NO, YES] },
          { op: 'not', children: [NO] },
        ],
      },
    ],
    [
      false,
      {
        op: 'and',
        children: [
          { op: 'or', children: [YES, NO] },
          { op: 'or', children: [] },
        ],
      },
    ],
    [
      true,
      {
        op: 'or',
        children: [
          { op: 'and', children: [NO, YES] },
          { op: 'and', children: [] },
        ],
      },
    ],
    [true, { op: 'and' }],
    [false, { op: 'or', children: 'name' }],
    [false, { op: 'xor', children: [YES] }],
    [false, { op: 'constructor', field: 'name', value: 'Ada' }],
    [false, { field: 'name', value: 'Ada' }],
    [false, 'true'],
    [false, true],
    [false, 1],
    [false, [YES]],
    [false, {}],
  ] as [boolean, unknown][])
    check(expected, condition);
});

describe('comparisons of an answer (wire 13.3)', () => {
  leaves(
    [true, 'eq', 'name', 'Ada'],
    [false, 'eq', 'name', 'ada'],
    [false, 'ne', 'name', 'Ada'],
    [true, 'ne', 'name', 'Bo'],
    [true, 'eq', 'age', 30],
    [true, 'eq', 'age', '30.0'],
    [true, 'eq', 'price', 9.5],
    [false, 'eq', 'age', '30 years'],
    [true, 'lt', 'age', 31],
    [true, 'lt', 'age', '100'],
    [false, 'lt', 'age', 30],
    [true, 'le', 'age', '30'],
    [true, 'gt', 'age', '4'],
    [true, 'ge', 'age', 30],
    [false, 'ge', 'age', 30.5],
    [true, 'lt', 'date', '2026-03-11'],
    [true, 'gt', 'name', 'Aba'],
    [true, 'in', 'name', ['Bo', 'Ada']],
    [true, 'in', 'age', [29, 30]],
    [false, 'in', 'name', []],
    [true, 'nin', 'name', ['Bo']],
    [false, 'nin', 'name', ['Ada']],
    [true, 'answered', 'name'],
    [false, 'empty', 'name'],
    [true, 'contains', 'name', 'da'],
    [false, 'contains', 'name', 'DA'],
    [true, 'contains', 'picks', '"cat"'],
    [true, 'contains', 'picks', 'ca'],
    [false, 'contains', 'picks', '"ca"'],
    [true, 'contains', 'address', 'Main St'],
    [false, 'contains', 'address', 'Main St, Ghent'],
    [true, 'not_contains', 'picks', '"cow"'],
    [false, 'not_contains', 'picks', '"dog"'],
    [false, 'eq', 'picks', 'cat'],
    [false, 'in', 'picks', ['cat', 'dog']],
    [true, 'nin', 'picks', ['cat', 'dog']],
    [true, 'in', 'picks', ['["cat","dog"]']],
    [true, 'eq', 'picks', '["cat","dog"]'],
    [true, 'contains', 'age', 3],
    [false, 'contains', 'file', ''],
    [false, 'eq', 'picks', 'cat, dog'],
    [false, 'eq', 'file', ''],
    [true, 'ne', 'file', {}],
  );
});

describe('comparisons without an answer (wire 13.3)', () => {
  for (const field of ['missing', 'nothing', 'blank', 'constructor', '__proto__']) {
    leaves(
      [false, 'eq', field, ''],
      [false, 'eq', field, null],
      [false, 'ne', field, 'x'],
      [false, 'lt', field, 1],
      [false, 'le', field, ''],
      [false, 'gt', field, -1],
      [false, 'ge', field, ''],
      [false, 'answered', field],
      [true, 'empty', field],
      [false, 'contains', field, ''],
      [true, 'not_contains', field, 'x'],
      [true, 'in', field, ['', 'x']],
      [false, 'in', field, ['x']],
      [true, 'nin', field, ['x']],
      [false, 'nin', field, ['']],
    );
  }
});

describe('equality and order (wire 13.3)', () => {
  leaves(
    // A boolean on either side compares as true or false.
    [true, 'eq', 'yes', true],
    [true, 'eq', 'yes', 'anything'],
    [true, 'eq', 'yes', 1],
    [false, 'eq', 'yes', 0],
    [true, 'eq', 'no', 0],
    [true, 'eq', 'no', ''],
    [true, 'eq', 'no', null],
    [true, 'eq', 'name', true],
    [false, 'eq', 'name', false],
    [true, 'eq', 'zero', false],
    [true, 'eq', 'zero_text', true],
    [true, 'eq', 'none', false],
    [true, 'eq', 'picks', true],
    [true, 'ne', 'yes', false],
    // A boolean is no number and has no order.
    [false, 'ge', 'yes', 1],
    [false, 'le', 'yes', 1],
    [false, 'lt', 'no', 1],
    // Mixed order.
    [false, 'lt', 'zero', 'abc'],
    [false, 'ge', 'zero', 'abc'],
    [false, 'lt', 'name', 5],
    [false, 'gt', 'name', 5],
    [false, 'lt', 'age', 'abc'],
    [false, 'gt', 'age', 'abc'],
    [false, 'gt', 'seven', ''],
    [false, 'ge', 'name', '9'],
    [false, 'le', 'seven', '2026-12-31'],
    [false, 'gt', 'date', '3'],
    [true, 'lt', 'seven', '10'],
    [true, 'lt', 'picks', 'z'],
    [false, 'le', 'name'],
    // What is not finite is no number.
    [false, 'gt', 'endless', 1],
    [false, 'eq', 'age', '0x1e'],
    // Without a list nothing is listed.
    [false, 'in', 'name', 'Ada'],
    [true, 'nin', 'name', 'Ada'],
    [false, 'in', 'name', null],
  );
});

describe('mistakes that form engines make', () => {
  leaves(
    // 0 and false are answers.
    [true, 'answered', 'zero'],
    [true, 'answered', 'no'],
    [true, 'answered', 'zero_text'],
    [false, 'empty', 'zero'],
    [false, 'empty', 'no'],
    [true, 'eq', 'zero', '0'],
    [true, 'eq', 'no', false],
    // "True" is not compared as the text "true".
    [true, 'in', 'yes', ['True']],
    [true, 'eq', 'yes', 'True'],
    // `ne` says nothing of what is not answered, and `empty` holds for "".
    [false, 'ne', 'missing', 'x'],
    [true, 'empty', 'blank'],
    // An empty list is an answer.
    [true, 'answered', 'none'],
    [false, 'contains', 'none', 'cat'],
    [true, 'not_contains', 'none', 'cat'],
  );
});

describe('bounds of conditions (wire 13.8)', () => {
  it('the depth of a condition does not matter', () => {
    for (const depth of [1_000, 100_001]) {
      let condition: unknown = YES;
      for (let level = 0; level < depth; level++) condition = { op: 'not', children: [condition] };
      assert.equal(holds(condition, VALUES), depth % 2 === 0);
      let wide: unknown = NO;
      for (let level = 0; level < depth; level++)
        wide = { op: level % 2 ? 'and' : 'or', children: [wide, YES] };
      assert.equal(holds(wide, VALUES), true);
    }
  });

  it('no condition holds when its steps are used up', () => {
    assert.equal(holds({ op: 'and', children: [YES, YES] }, VALUES, new Budget(3)), true);
    assert.equal(holds({ op: 'and', children: [YES, YES] }, VALUES, new Budget(2)), false);
    const circle: { op: string; children: unknown[] } = { op: 'and', children: [] };
    circle.children.push(circle);
    assert.equal(holds(circle, VALUES), false);
  });

  it('long answers use up the steps sooner: 20 characters, or an entry of a list, count as one', () => {
    const long = new Map<string, unknown>([
      ['text', '1'.repeat(2_000)],
      ['list', Array.from({ length: 100 }, () => '')],
    ]);
    for (const field of ['text', 'list']) {
      const comparison = { op: 'eq', field, value: 'x' };
      const condition = (count: number) => ({
        op: 'or',
        children: [...Array.from({ length: count }, () => comparison), { op: 'empty', field: 'none' }],
      });
      assert.equal(holds(condition(9), long, new Budget(1_000)), true);
      assert.equal(holds(condition(10), long, new Budget(1_000)), false);
    }
    const longList = { op: 'nin', field: 'none', value: Array.from({ length: 100 }, () => 1) };
    assert.equal(holds(longList, VALUES, new Budget(101)), true);
    assert.equal(holds(longList, VALUES, new Budget(100)), false);
  });
});
