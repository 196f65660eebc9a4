import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { FlowDefinition } from '@symbolon/protocol';
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { checkDefinition, checkDraft } from './check-definition.ts';
import type { FlowIssueCode } from './issue.ts';
import { conditions, expressions } from './testing/arbitraries.ts';
import { contractFlow, field, node, plugin, surroundings } from './testing/samples.ts';

type Json = ReturnType<typeof JSON.parse>;
/** A definition that is changed, as JSON: most changes break its type. */
const changed = (change: (definition: Json) => void): unknown => {
  const definition = structuredClone(contractFlow());
  change(definition);
  return definition;
};
const issuesOf = (definition: unknown) =>
  checkDefinition(definition, surroundings).map(({ code, path }) => [code, path]);

const ref = (key: string) => ({ type: 'ref', key });
const constant = (key: string, expr: unknown) => ({ key, label: key, result_type: 'text', expr });
const leaf = (field: string, op = 'eq') => ({ op, field, value: 'x' });

it('a flow without faults can be published (wire 13.2)', () => {
  assert.deepEqual(issuesOf(contractFlow()), []);
});

describe('what keeps a definition from being published (wire 13.2)', () => {
  const table: [code: FlowIssueCode, path: string, change: (definition: Json) => void][] = [
    ['shape_invalid', '/name', (d) => delete d.name],
    ['shape_invalid', '/output_mode', (d) => (d.output_mode = 'paper')],
    ['shape_invalid', '/nodes', (d) => (d.nodes = {})],
    ['shape_invalid', '/nodes/0/elements/1/required', (d) => (d.nodes[0].elements[1].required = 1)],
    ['shape_invalid', '/nodes/0/elements/0', (d) => (d.nodes[0].elements[0] = { kind: 'video' })],
    ['shape_invalid', '/nodes/0/elements/0', (d) => (d.nodes[0].elements[0] = null)],
    ['shape_invalid', '/parties/0/key', (d) => (d.parties[0].key = 'The client')],
    ['shape_invalid', '/nodes/0/elements/2/slug', (d) => (d.nodes[0].elements[2].slug = 'Garden')],
    ['shape_invalid', '/constants/0/result_type', (d) => (d.constants[0].result_type = 'money')],
    ['shape_invalid', '/edges/1/sort', (d) => (d.edges[1].sort = '1')],
    ['shape_invalid', '/nodes/1/elements/0/min', (d) => (d.nodes[1].elements[0].min = [])],
    [
      'shape_invalid',
      '/nodes/0/elements/4/plugin/inputs/a~1b',
      (d) => (d.nodes[0].elements[4].plugin.inputs['a/b'] = 1),
    ],
    ['too_large', '/nodes/0/title', (d) => (d.nodes[0].title = 'x'.repeat(501))],
    ['too_large', '/parties', (d) => (d.parties = Array(21).fill(d.parties[0]))],
    [
      'too_large',
      '/nodes/0/elements/4/plugin/inputs',
      (d) =>
        (d.nodes[0].elements[4].plugin.inputs = Object.fromEntries(
          [...Array(51).keys()].map((n) => [n, '']),
        )),
    ],
    ['entry_missing', '/entry', (d) => delete d.entry],
    ['entry_missing', '/entry', (d) => (d.entry = null)],
    ['entry_missing', '/entry', (d) => (d.entry = '')],
    ['reference_unknown', '/entry', (d) => (d.entry = 'nowhere')],
    ['reference_unknown', '/edges/0/to', (d) => (d.edges[0].to = 'nowhere')],
    ['reference_unknown', '/edges/2/from', (d) => (d.edges[2].from = 'nowhere')],
    ['reference_unknown', '/nodes/1/party', (d) => (d.nodes[1].party = 'neighbour')],
    ['reference_unknown', '/edges/1/condition/field', (d) => (d.edges[1].condition.field = 'pets')],
    [
      'reference_unknown',
      '/edges/1/condition/children/1/field',
      (d) => (d.edges[1].condition = { op: 'and', children: [leaf('pet'), leaf('constructor')] }),
    ],
    [
      'reference_unknown',
      '/nodes/0/elements/1/options/2/available_if/field',
      (d) => (d.nodes[0].elements[1].options[2].available_if.field = 'terrace'),
    ],
    ['reference_unknown', '/constants/0/expr/args/0/key', (d) => (d.constants[0].expr.args[0].key = 'r')],
    [
      'reference_unknown',
      '/constants/0/expr/cases/0/when/field',
      (d) => (d.constants[0].expr = { type: 'if', cases: [pair(leaf('unknown'), ref('rent'))], else: null }),
    ],
    [
      'reference_unknown',
      '/nodes/0/elements/4/plugin/inputs/country',
      (d) => (d.nodes[0].elements[4].plugin.inputs.country = 'land'),
    ],
    [
      'reference_unknown',
      '/nodes/0/elements/4/plugin/inputs/zone',
      (d) => (d.nodes[0].elements[4].plugin.inputs.zone = 'country'),
    ],
    ['reference_unknown', '/nodes/2/outputs/0/rules/2/asset_key', (d) => (rule(d, 2).asset_key = 'gone')],
    [
      'reference_unknown',
      '/nodes/2/outputs/0/rules/0/source_field',
      (d) => (rule(d, 0).source_field = 'pet'),
    ],
    [
      'reference_unknown',
      '/nodes/2/outputs/0/rules/2/source_connection/party',
      (d) => (d.nodes[2].outputs[0].rules[2] = { source_connection: { party: 'bank', request_slug: 'id' } }),
    ],
    [
      'reference_unknown',
      '/nodes/2/outputs/0/signers/0/party',
      (d) => (d.nodes[2].outputs[0].signers[0].party = 'b'),
    ],
    [
      'reference_unknown',
      '/nodes/2/outputs/0/rules/1/condition/field',
      (d) => (rule(d, 1).condition.field = 'b'),
    ],
    ['operator_unknown', '/edges/1/condition/op', (d) => (d.edges[1].condition.op = 'equals')],
    ['operator_unknown', '/edges/1/condition/op', (d) => (d.edges[1].condition.op = 'toString')],
    ['operator_unknown', '/constants/0/expr/op', (d) => (d.constants[0].expr.op = 'pow')],
    ['operator_unknown', '/constants/0/expr/type', (d) => (d.constants[0].expr.type = 'eval')],
    [
      'operator_unknown',
      '/constants/0/expr/unit',
      (d) =>
        (d.constants[0].expr = {
          type: 'datediff',
          unit: 'hours',
          from: { type: 'today' },
          to: { type: 'today' },
        }),
    ],
    ['shape_invalid', '/edges/1/condition', (d) => (d.edges[1].condition = 'pet')],
    ['shape_invalid', '/edges/1/condition/children', (d) => (d.edges[1].condition = { op: 'or' })],
    ['shape_invalid', '/edges/1/condition/field', (d) => delete d.edges[1].condition.field],
    ['shape_invalid', '/constants/0/expr', (d) => (d.constants[0].expr = 12)],
    ['shape_invalid', '/constants/0/expr/args', (d) => (d.constants[0].expr.args = ref('rent'))],
    [
      'shape_invalid',
      '/constants/0/expr/args/1/value_type',
      (d) => (d.constants[0].expr.args[1].value_type = 'x'),
    ],
    [
      'shape_invalid',
      '/constants/0/expr/else',
      (d) => (d.constants[0].expr = { type: 'if', cases: [], else: 'x' }),
    ],
    [
      'shape_invalid',
      '/constants/0/expr/sep',
      (d) => (d.constants[0].expr = { type: 'concat', parts: [], sep: 1 }),
    ],
    ['shape_invalid', '/constants/0/expr/cases/0', (d) => (d.constants[0].expr = { type: 'if', cases: [1] })],
    ['shape_invalid', '/constants/0/expr/key', (d) => (d.constants[0].expr = { type: 'ref' })],
    ['too_deep', '/edges/1/condition', (d) => (d.edges[1].condition = nested(1001))],
    [
      'too_large',
      '/edges/1/condition',
      (d) => (d.edges[1].condition = { op: 'or', children: Array(10_001).fill(leaf('pet')) }),
    ],
    ['party_reserved', '/parties/2/key', (d) => renameParty(d, 'signature')],
    ['party_unbound', '/parties/2', (d) => d.parties.push({ key: 'witness', label: 'Witness' })],
    ['node_unreachable', '/nodes/3', (d) => d.nodes.push(node('island'))],
    [
      'node_unreachable',
      '/nodes/3',
      (d) => {
        d.nodes.push(node('behind'));
        d.edges.push({ from: 'start', to: 'behind', condition: leaf('pet'), sort: 3 });
      },
    ],
    ['key_duplicate', '/parties/2/key', (d) => d.parties.push(d.parties[0])],
    ['key_duplicate', '/nodes/3/key', (d) => d.nodes.push(node('start'))],
    ['key_duplicate', '/nodes/1/elements/0/slug', (d) => (d.nodes[1].elements[0].slug = 'pet')],
    ['key_duplicate', '/constants/1/key', (d) => d.constants.push(constant('pet', ref('pet_name')))],
    ['key_duplicate', '/nodes/2/outputs/1/key', (d) => d.nodes[2].outputs.push(d.nodes[2].outputs[0])],
    [
      'key_duplicate',
      '/nodes/0/elements/1/options/1/value',
      (d) => (d.nodes[0].elements[1].options[1].value = 'none'),
    ],
    [
      'key_duplicate',
      '/nodes/0/elements/4/plugin/snapshot/outputs/0/key',
      (d) => (d.nodes[0].elements[4].plugin.snapshot.outputs[0].key = 'city'),
    ],
    [
      'key_duplicate',
      '/nodes/1/elements/1/slug',
      (d) => d.nodes[1].elements.push(plugin('client', { country: 'pet' })),
    ],
    [
      'shape_invalid',
      '/nodes/0/elements/4/plugin/snapshot/blocks/0/key',
      (d) => (d.nodes[0].elements[4].plugin.snapshot.blocks[0].key = 'id'),
    ],
    ['edge_cycle', '/edges/3', (d) => d.edges.push({ from: 'offer', to: 'start', condition: leaf('pet') })],
    ['edge_cycle', '/edges/3', (d) => d.edges.push({ from: 'offer', to: 'offer', condition: null })],
    ['constant_cycle', '/constants/0', (d) => (d.constants[0].expr = ref('yearly'))],
    [
      'constant_cycle',
      '/constants/2',
      (d) => d.constants.push(constant('a', ref('b')), constant('b', { type: 'concat', parts: [ref('a')] })),
    ],
    [
      'constant_cycle',
      '/constants/1',
      (d) => d.constants.push(constant('a', { type: 'if', cases: [pair(leaf('a'), ref('rent'))] })),
    ],
    [
      'field_type_unknown',
      '/nodes/0/elements/2/field_type',
      (d) => (d.nodes[0].elements[2].field_type = 'shoe'),
    ],
    [
      'field_type_unknown',
      '/nodes/0/elements/2/field_type',
      (d) => (d.nodes[0].elements[2].field_type = 'boolean'),
    ],
    [
      'field_type_unknown',
      '/nodes/0/elements/2/field_type',
      (d) => (d.nodes[0].elements[2].field_type = 'constructor'),
    ],
    ['options_missing', '/nodes/0/elements/1/options', (d) => (d.nodes[0].elements[1].options = [])],
    [
      'plugin_unknown',
      '/nodes/0/elements/4/plugin',
      (d) => (d.nodes[0].elements[4].plugin.plugin_id = 'maps'),
    ],
    [
      'plugin_unknown',
      '/nodes/0/elements/4/plugin',
      (d) => (d.nodes[0].elements[4].plugin.field_type = 'maps'),
    ],
    ['plugin_unknown', '/nodes/0/elements/4/plugin', (d) => (d.nodes[0].elements[4].plugin.snapshot = null)],
    [
      'plugin_input_missing',
      '/nodes/0/elements/4/plugin/inputs/country',
      (d) => delete d.nodes[0].elements[4].plugin.inputs.country,
    ],
    [
      'plugin_input_missing',
      '/nodes/0/elements/4/plugin/inputs/country',
      (d) => (d.nodes[0].elements[4].plugin.inputs.country = ''),
    ],
    ['output_source_missing', '/nodes/2/outputs/0/rules', (d) => (d.nodes[2].outputs[0].rules = [])],
    ['output_source_missing', '/nodes/2/outputs/0/rules/2', (d) => delete rule(d, 2).asset_key],
    ['output_source_missing', '/nodes/2/outputs/0/rules/2', (d) => (rule(d, 2).source_field = 'plan')],
  ];
  for (const [code, path, change] of table) {
    it(`publishing refuses with ${code} at ${path}: ${String(change).replace(/\s+/g, ' ').slice(0, 90)}`, () => {
      assert.deepEqual(issuesOf(changed(change)), [[code, path]]);
    });
  }

  it('the error for an element of an unknown kind lists the kinds', () => {
    const definition = changed((d) => (d.nodes[0].elements[0] = { kind: 'feild' }));
    const [first] = checkDefinition(definition, surroundings);
    assert.equal(first?.message, 'The kind must be one of field, text, plugin.');
  });

  it('all issues are reported at once', () => {
    const definition = changed((d) => {
      d.nodes[0].party = 'nobody';
      d.edges[1].condition.op = 'is';
      d.constants[0].expr.args[0].key = 'nothing';
    });
    assert.deepEqual(issuesOf(definition), [
      ['reference_unknown', '/nodes/0/party'],
      ['operator_unknown', '/edges/1/condition/op'],
      ['reference_unknown', '/constants/0/expr/args/0/key'],
    ]);
  });

  it('a party that only stands in a text is bound', () => {
    const definition = changed((d) => {
      d.parties.push({ key: 'witness', label: 'Witness' });
      d.nodes[0].elements[0].body = '{{ witness.full_name }}';
    });
    assert.deepEqual(issuesOf(definition), []);
  });

  it('keys of plugin answers can be compared', () => {
    for (const key of ['home', 'home.street', 'home.street.id', 'home.rent', 'yearly'])
      assert.deepEqual(issuesOf(changed((d) => (d.edges[1].condition.field = key))), []);
    assert.deepEqual(issuesOf(changed((d) => (d.edges[1].condition.field = 'home.rent.id'))), [
      ['reference_unknown', '/edges/1/condition/field'],
    ]);
  });

  it('a draft needs its form alone', () => {
    const draft = changed((d) => {
      d.entry = null;
      d.edges[0].to = 'later';
      d.nodes[1].elements[0].field_type = '';
    });
    assert.deepEqual(checkDraft(draft), []);
    assert.deepEqual(checkDraft({ ...contractFlow(), name: 1 }).length, 1);
    assert.deepEqual(checkDraft(null).length, 1);
  });
});

const pair = (when: unknown, result: unknown) =>
  Object.fromEntries([
    ['when', when],
    ['then', result],
  ]);
const rule = (definition: Json, index: number) => definition.nodes[2].outputs[0].rules[index];
function nested(depth: number): unknown {
  let condition: unknown = leaf('pet');
  for (let level = 1; level < depth; level++) condition = { op: 'not', children: [condition] };
  return condition;
}
/** A third party that answers the second node. */
function renameParty(definition: Json, key: string): void {
  definition.parties.push({ key, label: key });
  definition.nodes[1].party = key;
}

describe('bounds of checks (wire 13.8)', () => {
  it('a condition may have a thousand levels', () => {
    assert.deepEqual(issuesOf(changed((d) => (d.edges[1].condition = nested(1000)))), []);
  });

  it('what is nested far too deep is refused without exhausting the stack', () => {
    assert.deepEqual(issuesOf(changed((d) => (d.edges[1].condition = nested(200_000)))), [
      ['too_deep', '/edges/1/condition'],
    ]);
  });

  it('a definition of 10,000 nodes is checked, and a chain of them is no deep recursion', () => {
    const nodes = [...Array(10_000).keys()].map((index) =>
      node(`n${index}`, { elements: [field(`f${index}`)] }),
    );
    const edges = nodes.slice(1).map(({ key }, index) => ({ from: `n${index}`, to: key, condition: null }));
    const definition = {
      ...contractFlow(),
      entry: 'n0',
      nodes,
      edges,
      constants: [],
      parties: [{ key: 'client', label: 'C' }],
    };
    assert.deepEqual(issuesOf(definition), []);
    assert.deepEqual(issuesOf({ ...definition, edges: [...edges, { from: 'n9999', to: 'n0' }] }), [
      ['edge_cycle', '/edges/9999'],
    ]);
    assert.deepEqual(issuesOf({ ...definition, nodes: [...nodes, node('more')] }), [['too_large', '/nodes']]);
    assert.equal(issuesOf({ ...definition, edges: [] }).length, 1000);
  });
});

describe('the schema', () => {
  const page = new URL('../../../docs/flow-definition.schema.json', import.meta.url);

  it('docs/flow-definition.schema.json is the schema (npm run flow-schema writes it)', () => {
    const written = JSON.stringify(JSON.parse(readFileSync(page, 'utf8')));
    assert.ok(written === JSON.stringify(FlowDefinition));
  });

  it('checks of the form agree with the schema, whatever member is changed', () => {
    const values = fc.oneof(
      fc.jsonValue({ maxDepth: 1 }),
      fc.constantFrom('client', '', 'field', 'x'.repeat(600), 0.5),
    );
    fc.assert(
      fc.property(fc.nat(), values, fc.boolean(), (place, value, remove) => {
        const definition = contractFlow();
        const places = [...placesOf(definition)];
        const [holder, key] = places[place % places.length]!;
        if (remove && !Array.isArray(holder)) delete holder[key];
        else holder[key] = value;
        assert.equal(checkDraft(definition).length === 0, Value.Check(FlowDefinition, definition));
      }),
      { numRuns: 2000 },
    );
  });
});

it('checks of conditions and expressions agree with the schema', () => {
  const FORM = new Set<string>(['shape_invalid', 'operator_unknown', 'too_deep', 'too_large']);
  fc.assert(
    fc.property(conditions, expressions, fc.boolean(), (condition, expression, isCondition) => {
      const definition = changed((d) => {
        if (isCondition) d.edges[1].condition = condition;
        else d.constants[0].expr = expression;
      });
      const accepted = checkDefinition(definition, surroundings).every(({ code }) => !FORM.has(code));
      assert.equal(accepted, Value.Check(FlowDefinition, definition));
    }),
    { numRuns: 2000 },
  );
});

/** Every member outside of conditions and expressions, whose form publishing looks at. */
function* placesOf(value: Json): Generator<[Json, string]> {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    if (['condition', 'available_if', 'expr', 'value'].includes(key)) continue;
    yield [value, key];
    yield* placesOf(value[key]);
  }
}
