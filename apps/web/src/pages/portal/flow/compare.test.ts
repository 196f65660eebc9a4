import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FlowDefinition, FlowElement } from '@symbolon/flows';
import { dePortal } from '../../../text/portal/de.ts';
import { enPortal } from '../../../text/portal/en.ts';
import { compareFlows } from './compare.ts';
import type { TellableFlow, Telling } from './told.ts';

const tellingIn = (catalogue: Readonly<Record<string, string>>): Telling => ({
  t: (key, values = {}) =>
    (catalogue[key] ?? key).replace(/\{(\w+)\}/g, (_whole, name: string) => String(values[name])),
  typeName: (type) => type.toUpperCase(),
});

const definition: FlowDefinition = {
  name: 'Permit',
  output_mode: 'document',
  entry: 'car',
  parties: [
    { key: 'driver', label: 'Driver' },
    { key: 'city', label: 'City', type: 'owner' },
  ],
  nodes: [
    {
      key: 'car',
      party: 'driver',
      title: 'Your car',
      elements: [
        { kind: 'text', body: 'Tell us of it.' },
        { kind: 'field', slug: 'weight', field_type: 'number', label: 'Weight', required: true },
        { kind: 'field', slug: 'plate', field_type: 'text', label: 'Plate', required: false },
      ],
    },
    {
      key: 'check',
      party: 'city',
      title: 'Check',
      elements: [],
      outputs: [
        {
          key: 'permit',
          name: 'Permit',
          rules: [{ asset_key: 'form' }],
          signers: [{ party: 'city', sign: true }],
        },
      ],
    },
  ],
  edges: [{ from: 'car', to: 'check', condition: null, sort: 0 }],
  constants: [],
};
const flow: TellableFlow = {
  definition,
  assets: [{ asset_key: 'form', original_name: 'form.pdf', sha256: 'a' }],
};
const [car, check] = definition.nodes as [FlowDefinition['nodes'][number], FlowDefinition['nodes'][number]];

/** The differences in words, a line each. */
const told = (after: TellableFlow, before = flow, catalogue: Readonly<Record<string, string>> = enPortal) =>
  compareFlows(before, after, tellingIn(catalogue)).flatMap(({ act, thing, lines }) => [
    `${act} ${thing.kind} ${thing.name}`,
    ...lines.map(({ label, before: was, after: is }) => `  ${catalogue[label]}: ${was} > ${is}`),
  ]);
const changed = (change: Partial<FlowDefinition>): TellableFlow => ({
  ...flow,
  definition: { ...definition, ...change },
});

test('a version does not differ from itself, nor by the order of members or by what is null', () => {
  assert.deepEqual(told(flow), []);
  const [edge] = definition.edges as [FlowDefinition['edges'][number]];
  const same = changed({ edges: [{ to: edge.to, from: edge.from }], constants: [] });
  assert.deepEqual(told(same), []);
});

test('steps, fields, ways and documents are named when they come and go', () => {
  const more = changed({
    nodes: [
      car,
      { key: 'more', party: 'driver', title: 'More', elements: [{ kind: 'text', body: 'It is heavy.' }] },
      { ...check, outputs: [] },
    ],
    edges: [
      ...definition.edges,
      { from: 'car', to: 'more', condition: { op: 'gt', field: 'weight', value: 9 } },
    ],
  });
  assert.deepEqual(told(more), [
    'added way From Your car to More',
    'added step More',
    'added text It is heavy.',
    'removed document Permit',
  ]);
  assert.deepEqual(told(flow, more), [
    'added document Permit',
    'removed way From Your car to More',
    'removed step More',
    'removed text It is heavy.',
  ]);
});

test('what is changed is said as it was and as it is, by the names of the flow', () => {
  const [text, weight, plate] = car.elements as [FlowElement, FlowElement, FlowElement];
  assert.deepEqual(
    told({
      definition: {
        ...definition,
        entry: 'check',
        nodes: [
          {
            ...car,
            title: 'The car',
            party: 'city',
            elements: [
              plate,
              { ...text, body: 'Tell us about it.' } as FlowElement,
              { ...weight, required: false, min: 100 } as FlowElement,
            ],
          },
          {
            ...check,
            outputs: [
              {
                key: 'permit',
                name: 'Permit',
                rules: [{ asset_key: 'form', condition: { op: 'lt', field: 'weight', value: 5 } }],
                signers: [{ party: 'driver', accept: true }],
              },
            ],
          },
        ],
        edges: [{ from: 'car', to: 'check', condition: { op: 'answered', field: 'plate' } }],
      },
      assets: [{ asset_key: 'form', original_name: 'form.pdf', sha256: 'b' }],
    }),
    [
      'changed flow Permit',
      '  First step: Your car > Check',
      'changed step The car',
      '  Title: Your car > The car',
      '  Answered by: Driver > City',
      '  Order of what it asks: Weight, Plate > Plate, Weight',
      'changed text Tell us about it.',
      '  Text: Tell us of it. > Tell us about it.',
      'changed field Weight',
      '  Must be answered: Yes > No',
      '  Least:  > 100',
      'changed way From The car to Check',
      '  Taken when: always > Plate is answered',
      'changed document Permit',
      '  Made from: form.pdf > form.pdf when Weight is less than 5',
      '  Participants, in the order in which they sign: City signs > Driver accepts',
      'changed file form.pdf',
      '  Content:  > ',
    ],
  );
});

test('a difference that no words tell is not passed over, and German says the same', () => {
  const odd = changed({
    parties: [{ key: 'driver', label: 'Driver', type: 'guest' }, ...definition.parties.slice(1)],
  });
  assert.deepEqual(told(odd), ['changed party Driver', `  ${enPortal['compare.inner']}:  > `]);
  assert.deepEqual(told(changed({ name: 'Erlaubnis' }), flow, dePortal), [
    'changed flow Erlaubnis',
    '  Name des Ablaufs: Permit > Erlaubnis',
  ]);
});
