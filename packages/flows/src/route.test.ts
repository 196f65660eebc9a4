import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemRegistry } from '@symbolon/field-types';
import type { FlowCondition, FlowDefinition, FlowEdge } from '@symbolon/protocol';
import { Budget } from './budget.ts';
import { checkDefinition } from './check-definition.ts';
import { chooseOutputs } from './outputs.ts';
import { decideRoute, followWay, isPossibleRoute } from './route.ts';
import { bundleValues, documentValues, type RunState, valuesOf, valuesOfTexts } from './run-values.ts';
import { contractFlow, field, node, surroundings } from './testing/samples.ts';
import { upgradeDefinition } from './upgrade.ts';

const when = (value: string): FlowCondition => ({ op: 'eq', field: 'pick', value });
const edge = (to: string, condition: FlowCondition = null, sort?: number | null): FlowEdge => ({
  from: 'start',
  to,
  condition,
  ...(sort === undefined ? {} : { sort }),
});
const flowOf = (...edges: FlowEdge[]): FlowDefinition => ({
  ...contractFlow(),
  nodes: [node('start'), node('left'), node('right', { party: 'landlord' })],
  edges,
  constants: [],
});

describe('the next step (wire 13.7)', () => {
  const table: [name: string, edges: FlowEdge[], next: string | null][] = [
    ['no edges', [], null],
    ['no edge that holds', [edge('left', when('other'))], null],
    ['the first that holds', [edge('left', when('x')), edge('right')], 'left'],
    ['the next when the first does not hold', [edge('left', when('y')), edge('right')], 'right'],
    ['the lowest sort', [edge('left', null, 2), edge('right', null, 1)], 'right'],
    ['a missing sort as 0', [edge('left', null, 1), edge('right')], 'right'],
    ['a sort of null as 0', [edge('left', null, 1), edge('right', null, null)], 'right'],
    ['a sort below 0', [edge('left'), edge('right', null, -1)], 'right'],
    ['where they stand when sorts are equal', [edge('right', null, 0), edge('left')], 'right'],
    ['edges of other nodes', [{ ...edge('left'), from: 'right' }], null],
  ];
  for (const [name, edges, next] of table) {
    it(`an edge is chosen by ${name}`, () => {
      const route = decideRoute(flowOf(...edges), 'start', new Map([['pick', 'x']]));
      const party = next === 'right' ? 'landlord' : 'client';
      assert.deepEqual(route, next === null ? { leaf: true } : { next_node: next, next_party: party });
    });
  }
});

describe('a route that a client claims to have taken (wire 13.7)', () => {
  const to = (next_node: string, next_party = 'client') => ({ next_node, next_party });
  const leaf = { leaf: true } as const;
  const conditional = flowOf(edge('left', when('x')), edge('right', when('y')));
  const closed = flowOf(edge('left'), edge('right', when('y'), 1));
  for (const [expected, definition, route] of [
    [true, conditional, to('left')],
    [true, conditional, to('right', 'landlord')],
    [true, conditional, leaf],
    [false, conditional, to('right')],
    [false, conditional, to('start')],
    [false, conditional, to('nowhere')],
    [true, closed, to('left')],
    [false, closed, leaf],
    [false, closed, to('right', 'landlord')],
    [true, flowOf(), leaf],
  ] as const) {
    it(`${JSON.stringify(route)} is ${expected ? 'possible' : 'impossible'} after ${definition.edges.length} edges`, () => {
      assert.equal(isPossibleRoute(definition, 'start', route), expected);
    });
  }

  it('no route leads from a node that does not exist', () => {
    assert.equal(isPossibleRoute(conditional, 'nowhere', leaf), false);
  });
});

const PLACE = JSON.stringify({
  plugin: 'places',
  type: 'place',
  blocks: [{ key: 'street', kind: 'search_select', label: 'Street', id: 's1', value: 'Main St' }],
  outputs: [{ key: 'rent', type: 'number', label: 'Rent', value: 900 }],
});
const stateOf = (answers: Record<string, unknown>, definition = contractFlow()): RunState => ({
  definition,
  fieldTypes: systemRegistry,
  answers: new Map(Object.entries(answers)),
  referenceDate: '2026-06-15',
});
const ALL = new Set(['start', 'pets', 'offer']);

describe('the way by the answers (wire 13.7)', () => {
  const answers = { pet: 'none', country: 'BE', home: PLACE, rent: '75.50' };

  it('a way leads from step to step and ends where no edge leads on', () => {
    assert.deepEqual(followWay(stateOf(answers), ALL), { nodes: ['start', 'offer'], ended: true });
    assert.deepEqual(followWay(stateOf({ ...answers, pet: 'cat', pet_name: 'Tom' }), ALL), {
      nodes: ['start', 'pets', 'offer'],
      ended: true,
    });
    assert.deepEqual(followWay(stateOf({}, flowOf()), new Set()), { nodes: ['start'], ended: false });
  });

  it('a way stops at a step that is not submitted', () => {
    assert.deepEqual(followWay(stateOf(answers), new Set(['start'])), {
      nodes: ['start', 'offer'],
      ended: false,
    });
  });

  it('a required answer of a branch that is not taken is not asked for', () => {
    assert.equal(followWay(stateOf(answers), ALL).ended, true);
    const { nodes, ended } = followWay(stateOf({ ...answers, pet: 'cat' }), ALL);
    assert.deepEqual([nodes, ended], [['start', 'pets'], false]);
  });

  it('a circle, which cannot be published, does not hold the way', () => {
    const circle = flowOf(edge('left'), { ...edge('start'), from: 'left' });
    assert.deepEqual(followWay(stateOf({}, circle), new Set(['start', 'left'])), {
      nodes: ['start', 'left'],
      ended: false,
    });
    assert.deepEqual(followWay(stateOf({}, { ...circle, entry: null }), ALL), { nodes: [], ended: false });
  });

  it('an answer of a step that is not on the way reaches no condition, constant or document', () => {
    const definition = contractFlow();
    const secret = {
      key: 'told',
      label: 'Told',
      result_type: 'text',
      expr: { type: 'ref', key: 'pet_name' },
    } as const;
    const state = stateOf(
      { ...answers, pet_name: 'Tom' },
      { ...definition, constants: [...definition.constants!, secret] },
    );
    const values = valuesOf(state, followWay(state, ALL).nodes);
    assert.equal(values.has('pet_name'), false);
    assert.equal(values.get('told'), null);
    assert.ok(!JSON.stringify(documentValues(state, values)).includes('Tom'));
    assert.equal(documentValues(state, valuesOf(state, ALL)).pet_name, 'Tom');
  });

  it('an answer that was changed closes the branch that it had opened', () => {
    const definition: FlowDefinition = {
      ...flowOf(edge('left', when('yes'))),
      nodes: [node('start', { elements: [field('pick')] }), node('left', { elements: [field('extra')] })],
      edges: [
        edge('left', when('yes')),
        { from: 'left', to: 'right', condition: { op: 'eq', field: 'extra', value: 'x' } },
      ],
    };
    const state = stateOf({ pick: 'no', extra: 'x' }, definition);
    assert.deepEqual(followWay(state, new Set(['start', 'left'])), { nodes: ['start'], ended: true });
  });
});

describe('values of answers (wire 13.5, 13.7)', () => {
  const types = {
    picks: 'multiselect',
    address: 'address',
    passport: 'passport',
    unknown: 'of_another_platform',
    number: 'number',
  };
  const elements = Object.entries(types).map(([slug, field_type]) => field(slug, { field_type }));
  const definition = { ...flowOf(), nodes: [node('start', { elements })] };
  const values = (answers: Record<string, unknown>) => valuesOf(stateOf(answers, definition), ['start']);

  const GIVEN = {
    picks: '["cat","dog"]',
    address: '{"city":"Ghent","street":"Main St","extra":"x","building_number":""}',
    passport: '{"_enc_file":"f1"}',
    unknown: 'as it is',
    number: '0',
  };

  it('conditions see answers as they were sealed; documents see choices, composites and files in words', () => {
    const map = values(GIVEN);
    assert.deepEqual(Object.fromEntries(map), GIVEN);
    assert.deepEqual(values({ picks: ['cat', 'dog'] }).get('picks'), '["cat","dog"]');
    assert.deepEqual(documentValues(stateOf({}, definition), map), {
      picks: 'cat, dog',
      address: 'Main St, Ghent',
      passport: '',
      unknown: 'as it is',
      number: '0',
    });
  });

  it('the texts of a bundle are read back as the values that they were made from', () => {
    const args = [
      { type: 'ref', key: 'number' },
      { type: 'lit', value_type: 'number', value: 1 },
    ];
    const expr = { type: 'math', op: 'add', args };
    const isCat = { op: 'contains', field: 'picks', value: '"cat"' };
    const told = {
      type: 'if',
      cases: [
        Object.fromEntries([
          ['when', isCat],
          ['then', args[1]],
        ]),
      ],
      else: null,
    };
    const computed = {
      ...definition,
      constants: [
        { key: 'next', label: 'Next', result_type: 'number', expr },
        { key: 'told', label: 'Told', result_type: 'number', expr: told },
      ],
    } as FlowDefinition;
    const state = stateOf(GIVEN, computed);
    const original = valuesOf(state, ['start']);
    assert.deepEqual([original.get('next'), original.get('told')], [1, 1]);
    const texts = new Map(
      Object.entries({ ...bundleValues(state, original), other: 'of a branch not taken' }),
    );
    assert.equal(texts.get('passport'), '');
    const read = valuesOfTexts(state, texts, new Set(Object.keys(GIVEN)));
    const nameless = { passport: '{"_enc_file":""}' };
    assert.deepEqual(Object.fromEntries(read), { ...Object.fromEntries(original), ...nameless });
  });

  it('what is no JSON stays as it was given, and what is not answered is not there', () => {
    const map = values({ picks: 'cat', address: '5', passport: '', number: null });
    assert.deepEqual(
      [...map],
      [
        ['picks', 'cat'],
        ['address', '5'],
      ],
    );
  });
});

describe('outputs at the end (wire 13.7)', () => {
  const leaf = contractFlow().nodes[2]!;
  const chosen = (values: Record<string, unknown>, held: string[]) =>
    chooseOutputs(leaf, new Map(Object.entries(values)), ({ asset_key, source_field }) =>
      held.includes(asset_key ?? source_field ?? ''),
    ).map(({ rule }) => rule.asset_key ?? rule.source_field);
  const ALL_SOURCES = ['plan', 'contract', 'contract_short'];

  for (const [expected, values, held] of [
    [['plan'], { plan: {}, yearly: 1 }, ALL_SOURCES],
    [['contract_short'], { plan: {}, yearly: 1 }, ['contract', 'contract_short']],
    [['contract_short'], { yearly: 999 }, ALL_SOURCES],
    [['contract'], { yearly: 1000 }, ALL_SOURCES],
    [['contract'], {}, ALL_SOURCES],
    [[], {}, ['plan']],
  ] as const) {
    it(`with ${JSON.stringify(values)} and ${held.join(', ')} there comes ${expected.join() || 'nothing'}`, () => {
      assert.deepEqual(chosen(values, [...held]), expected);
    });
  }

  it('the conditions of all outputs share one budget', () => {
    const condition = { op: 'eq', field: 'text', value: 'x'.repeat(1_000) };
    const long = new Map([['text', 'x'.repeat(1_000)]]);
    const outputs = ['a', 'b', 'c'].map((key) => ({ ...leaf.outputs![0]!, key, rules: [{ condition }] }));
    const made = chooseOutputs({ ...leaf, outputs } as never, long, () => true, new Budget(210));
    assert.deepEqual(
      made.map(({ output }) => output.key),
      ['a', 'b'],
    );
  });

  it('a node without outputs makes none', () => {
    assert.deepEqual(
      chooseOutputs(node('end'), new Map(), () => true),
      [],
    );
  });
});

describe('older packages (wire 13.1)', () => {
  it('each PDF of a node becomes an output that its party signs', () => {
    const definition = contractFlow();
    const condition = { op: 'answered', field: 'pet' };
    const older = definition.nodes.map(({ outputs, ...rest }) => ({
      ...rest,
      pdfs: outputs
        ? [{ asset_key: 'contract', condition, tags: ['a'] }, { asset_key: 'contract_short' }]
        : [],
    }));
    const upgraded = upgradeDefinition({ ...definition, nodes: older }) as FlowDefinition;
    const signers = [{ party: 'landlord', sign: true }];
    assert.deepEqual(upgraded.nodes[2]!.outputs, [
      {
        key: 'contract',
        name: 'contract',
        rules: [{ condition, asset_key: 'contract', tags: ['a'] }],
        signers,
      },
      {
        key: 'contract_short',
        name: 'contract_short',
        rules: [{ condition: null, asset_key: 'contract_short', tags: [] }],
        signers,
      },
    ]);
    assert.equal('outputs' in upgraded.nodes[0]!, false);
    assert.deepEqual(checkDefinition(upgraded, surroundings), []);
  });

  it('what has no older form comes back as it is', () => {
    for (const value of [
      contractFlow(),
      null,
      'x',
      [],
      { nodes: 1 },
      { nodes: [null, { pdfs: [] }, { pdfs: 'x' }] },
    ]) {
      const plain = JSON.parse(JSON.stringify(value).replaceAll(/\{"pdfs":[^}]*\}/g, '{}'));
      assert.deepEqual(upgradeDefinition(value), plain);
    }
    assert.equal(
      checkDefinition(upgradeDefinition({ ...contractFlow(), nodes: [{ pdfs: [null, {}] }] }), surroundings)
        .length > 0,
      true,
    );
  });
});
