import { conditionComparisons, dateUnits, mathOperators } from '@symbolon/protocol/constants';
import fc from 'fast-check';

export const keys = fc.constantFrom('a', 'b', 'c', 'd', 'constructor', '__proto__', '');
/** Values that tell one comparison from another, and any other JSON. */
export const jsonValues = fc.oneof(
  fc.constantFrom(null, '', '0', 0, 1, '1.0', true, false, 'True', [], ['a'], {}, '2026-01-31', -0.5),
  fc.jsonValue({ maxDepth: 2 }),
);

export const { condition: conditions, expression: expressions } = fc.letrec((tie) => ({
  condition: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.record({ op: fc.constantFrom(...conditionComparisons, 'is'), field: keys, value: jsonValues }),
    jsonValues,
    fc.record({
      op: fc.constantFrom('and', 'or', 'not'),
      children: fc.array(tie('condition'), { maxLength: 4 }),
    }),
  ),
  expression: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.record({
      type: fc.constant('lit'),
      value_type: fc.constantFrom('text', 'number', 'boolean'),
      value: jsonValues,
    }),
    fc.record({ type: fc.constant('ref'), key: keys }),
    jsonValues,
    fc.constant({ type: 'today' }),
    fc.record({
      type: fc.constant('math'),
      op: fc.constantFrom(...mathOperators, 'pow'),
      args: fc.array(tie('expression'), { maxLength: 3 }),
    }),
    fc.record({
      type: fc.constant('concat'),
      sep: jsonValues,
      parts: fc.array(tie('expression'), { maxLength: 3 }),
    }),
    fc.record({
      type: fc.constant('datediff'),
      unit: fc.constantFrom(...dateUnits, 'hours'),
      from: tie('expression'),
      to: tie('expression'),
    }),
    fc.record({
      type: fc.constant('if'),
      cases: fc.array(
        fc.dictionary(fc.constantFrom('when', 'then'), fc.oneof(tie('condition'), tie('expression'))),
        { maxLength: 3 },
      ),
      else: tie('expression'),
    }),
  ),
}));

/** The same JSON with the members of each object in the opposite order. */
export function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, turned(member)]),
  );
}
