import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { FlowDefinition } from '@symbolon/protocol';
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { checkDefinition, checkDraft } from './check-definition.ts';
import { contractFlow, field, surroundings } from './testing/samples.ts';

const file = join(import.meta.dirname, '../../../docs/flow-definition.schema.json');
const published = JSON.parse(readFileSync(file, 'utf8'));
/** The same without what conditions, expressions and defaults look like: a draft may have them unfinished. */
const ofDrafts = structuredClone(published);
ofDrafts.$defs = { Condition: {}, Expression: { type: 'object' }, Default: {} };
ofDrafts.properties.constants.items.properties.expr = {};

/** What is wrong with a definition that the schema can say. */
const FORM = new Set<string>(['shape_invalid', 'operator_unknown', 'too_deep', 'too_large']);
const REF = { type: 'ref', key: 'rent' } as const;
const ONE = { type: 'lit', value_type: 'number', value: 1 } as const;

/** A definition with everything that definitions have. */
function everything(): FlowDefinition {
  const flow = contractFlow();
  const when = { op: 'and', children: [{ op: 'gt', field: 'rent', value: 1 }, null] } as const;
  // biome-ignore lint/suspicious/noThenProperty: it is the name of the member.
  const choice = { type: 'if', cases: [{ when, then: ONE }], else: null } as const;
  const days = { type: 'datediff', unit: 'weeks', from: { type: 'today' }, to: REF } as const;
  const text = { type: 'concat', parts: [REF, ONE], sep: ', ' } as const;
  const bounded = field('bounded', { field_type: 'number', min: choice, max: null, default: text });
  const literal = field('literal', { field_type: 'date', min: '2026-01-01', max: 3, default: ['a'] });
  const nodes = flow.nodes.map((node, index) =>
    index === 0 ? { ...node, elements: [...node.elements, bounded, literal] } : node,
  );
  const constants = [choice, days, text].map((expr, index) => ({
    key: `computed_${index}`,
    label: 'Computed',
    result_type: 'number' as const,
    expr,
  }));
  return { ...flow, nodes, constants: [...(flow.constants ?? []), ...constants] };
}

const VALUES = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 0.5, 1e9, '', 'field', 'client', 'ref', 'math', 'eq', 'and', 'number'),
  fc.constantFrom(
    [],
    {},
    [null],
    [[]],
    [{}],
    { type: 'ref' },
    { type: 'today' },
    { type: 'owner' },
    { op: 'or' },
  ),
  fc.constantFrom({ ...REF }, { ...ONE }, { kind: 'text' }, { kind: 'ref', key: 'rent' }),
  fc.constantFrom({ op: 'or', children: [] }, { op: 'eq', field: 'rent' }, { op: 'eq', field: '' }),
  fc.constantFrom('x'.repeat(201), 'x'.repeat(501), '😀'.repeat(200), '😀'.repeat(201), '😀'.repeat(500)),
  fc.constantFrom('A', 'a b', 'a\n', 'ä', 'item'),
);
const CHANGES = fc.array(
  fc.record({ place: fc.nat(), how: fc.constantFrom('replace', 'remove', 'add', 'repeat'), value: VALUES }),
  { minLength: 1, maxLength: 2 },
);
const MEMBERS = [
  'min',
  'max',
  'default',
  'sep',
  'else',
  'condition',
  'available_if',
  'options',
  'sort',
  'type',
];

const RUNS = 400;

type Json = Record<string, unknown>;

/** Every member of every object and list. */
function* placesOf(value: unknown): Generator<[Json, string]> {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    yield [value as Json, key];
    yield* placesOf((value as Json)[key]);
  }
}

describe('the published schema', () => {
  it('says of every definition what the checks say', () => {
    const seen = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(CHANGES, (changes) => {
        const definition: unknown = structuredClone(everything());
        for (const { place, how, value } of changes) {
          const places = [...placesOf(definition)];
          const [holder, key] = places[place % places.length] ?? [{}, ''];
          const sent = structuredClone(value);
          if (Array.isArray(holder) && how === 'repeat') holder.push(...holder);
          else if (Array.isArray(holder) && how === 'remove') holder.splice(Number(key), 1);
          else if (how === 'remove') delete holder[key];
          else if (how === 'add') holder[MEMBERS[place % MEMBERS.length] ?? ''] = sent;
          else holder[key] = sent;
        }
        const plain = JSON.parse(JSON.stringify(definition));
        assert.equal(checkDraft(plain).length === 0, Value.Check(ofDrafts, plain), 'as a draft');
        const issues = checkDefinition(plain, surroundings).filter(({ code }) => FORM.has(code));
        const accepted = Value.Check(published, plain);
        assert.equal(issues.length === 0, accepted, JSON.stringify(issues));
        seen[accepted ? 'accepted' : 'refused']++;
      }),
      { numRuns: RUNS },
    );
    // Both happen often, or nothing would be compared.
    assert.ok(Math.min(seen.accepted, seen.refused) > RUNS / 10, JSON.stringify(seen));
  });

  it('takes bounds and defaults as literals, as expressions, as null and not at all', () => {
    for (const value of [undefined, null, 5, '5', true, REF, ONE]) {
      const flow = everything();
      const definition = JSON.parse(
        JSON.stringify({
          ...flow,
          nodes: flow.nodes.map((node) => ({
            ...node,
            elements: node.elements.map((element) =>
              element.kind === 'field' ? { ...element, min: value, max: value, default: value } : element,
            ),
          })),
        }),
      );
      assert.deepEqual(checkDefinition(definition, surroundings), [], JSON.stringify(value));
      assert.equal(Value.Check(published, definition), true, JSON.stringify(value));
    }
  });

  it('an expression of a bound or default names what there is', () => {
    for (const member of ['min', 'max', 'default']) {
      const flow = contractFlow();
      const [first, ...others] = flow.nodes;
      const it = field('it', { field_type: 'number', [member]: { type: 'ref', key: 'nowhere' } });
      const nodes = [{ ...first!, elements: [it, ...first!.elements] }, ...others];
      assert.deepEqual(
        checkDefinition({ ...flow, nodes }, surroundings).map(({ code, path }) => [code, path]),
        [['reference_unknown', `/nodes/0/elements/0/${member}/key`]],
      );
    }
  });
});
