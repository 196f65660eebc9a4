import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { FlowConstant } from '@symbolon/protocol';
import fc from 'fast-check';
import { holds } from './condition.ts';
import { withConstants } from './constants.ts';
import { evaluate } from './expression.ts';
import { pluginValues } from './plugin-answer.ts';
import { conditions, expressions, jsonValues, keys, turned } from './testing/arbitraries.ts';
import type { Values } from './values.ts';

const answers = fc.array(fc.tuple(keys, jsonValues), { maxLength: 6 }).map((entries) => new Map(entries));
/** The same answers, begun from the end, with their members in the opposite order. */
const reversed = (values: Values) =>
  new Map([...values].reverse().map(([key, value]) => [key, turned(value)]));
const REFERENCE = { referenceDate: '2026-06-15' };
const RUNS = { numRuns: 3000 };

it('a condition holds or does not, whatever it is, and in any order of members (wire 13.3)', () => {
  fc.assert(
    fc.property(fc.oneof(conditions, fc.anything()), answers, (condition, values) => {
      assert.equal(typeof holds(condition, values), 'boolean');
    }),
    RUNS,
  );
  fc.assert(
    fc.property(conditions, answers, (condition, values) => {
      assert.equal(holds(turned(condition), reversed(values)), holds(condition, values));
    }),
    RUNS,
  );
});

it('`not` turns a condition round, and both groups keep to the laws of logic (wire 13.3)', () => {
  const not = (condition: unknown) => ({ op: 'not', children: [condition] });
  fc.assert(
    fc.property(fc.array(conditions, { maxLength: 3 }), answers, (children, values) => {
      const all = holds({ op: 'and', children }, values);
      assert.equal(
        all,
        children.every((each) => holds(each, values)),
      );
      assert.equal(all, !holds({ op: 'or', children: children.map(not) }, values));
    }),
  );
});

it('exactly one of a pair of operators holds for an answer (wire 13.3)', () => {
  fc.assert(
    fc.property(keys, jsonValues, answers, (field, value, values) => {
      const is = (op: string) => holds({ op, field, value }, values);
      assert.notEqual(is('answered'), is('empty'));
      assert.notEqual(is('in'), is('nin'));
      assert.notEqual(is('contains'), is('not_contains'));
      assert.equal(is('eq') || is('ne'), is('answered'));
      assert.ok(!(is('eq') && is('ne')) && !(is('lt') && is('ge')) && !(is('gt') && is('le')));
    }),
    RUNS,
  );
});

it('an expression has a value, whatever it is, and in any order of members (wire 13.4)', () => {
  fc.assert(
    fc.property(fc.oneof(expressions, fc.anything()), answers, (expression, values) => {
      assert.notEqual(evaluate(expression, { ...REFERENCE, values }), undefined);
    }),
    RUNS,
  );
  fc.assert(
    fc.property(expressions, answers, (expression, values) => {
      const first = evaluate(expression, { ...REFERENCE, values });
      assert.deepEqual(
        evaluate(turned(expression), { ...REFERENCE, values: reversed(values) }),
        turned(first),
      );
    }),
    RUNS,
  );
});

it('constants have the same values wherever they stand, circles included (wire 13.4)', () => {
  const lists = fc.uniqueArray(fc.record({ key: keys, expr: expressions }), {
    selector: ({ key }) => key,
    maxLength: 5,
  });
  fc.assert(
    fc.property(lists, answers, (list, values) => {
      const constants = list as FlowConstant[];
      const forwards = withConstants(constants, { ...REFERENCE, values });
      const backwards = withConstants([...constants].reverse(), { ...REFERENCE, values });
      for (const [key, value] of forwards) assert.deepEqual(backwards.get(key), value);
    }),
    RUNS,
  );
});

it('an answer of a plugin is read, whatever it is (wire 13.5)', () => {
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.json()), (answer) => {
      for (const [key] of pluginValues('slug', answer)) assert.match(key, /^slug(\.[a-z][a-z0-9_]*){0,2}$/);
    }),
    RUNS,
  );
});
