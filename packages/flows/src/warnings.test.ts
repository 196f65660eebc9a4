import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FlowDefinition } from '@symbolon/protocol';
import { contractFlow, field, node } from './testing/samples.ts';
import { warningsOf } from './warnings.ts';

const warned = (definition: FlowDefinition) =>
  [...warningsOf(definition)].map(({ code, path }) => [code, path]);
const ne = (slug: string) => ({ op: 'ne', field: slug, value: 'x' }) as const;

describe('warnings (wire 13.2)', () => {
  it('nothing is warned of where an answer is sure', () => assert.deepEqual(warned(contractFlow()), []));

  it('`ne` on an answer that may be missing is warned of', () => {
    const definition = contractFlow();
    const [toOffer, toPets, fromPets] = definition.edges;
    const edges = [
      toOffer!,
      { ...toPets!, condition: { op: 'not', children: [ne('garden')] } } as const,
      fromPets!,
    ];
    assert.deepEqual(warned({ ...definition, edges }), [
      ['comparison_unanswered', '/edges/1/condition/children/0'],
    ]);
  });

  it('a required answer is not sure behind a step that can be passed by', () => {
    const definition = contractFlow();
    const nodes = [...definition.nodes, node('end')];
    const edges = [...definition.edges, { from: 'offer', to: 'end', condition: ne('pet_name') }];
    assert.deepEqual(warned({ ...definition, nodes, edges }), [
      ['comparison_unanswered', '/edges/3/condition'],
    ]);
    const throughPets = edges.filter((_, index) => index !== 0);
    assert.deepEqual(warned({ ...definition, nodes, edges: throughPets }), []);
  });

  it('options and rules of outputs are looked at too', () => {
    const definition = contractFlow();
    const options = [{ value: 'a', label: 'A', available_if: ne('garden') }];
    const outputs = [
      { key: 'o', name: 'O', rules: [{ condition: ne('garden'), asset_key: 'contract' }], signers: [] },
    ];
    const nodes = [...definition.nodes, node('end', { elements: [field('more', { options })], outputs })];
    assert.deepEqual(warned({ ...definition, nodes }), [
      ['comparison_unanswered', '/nodes/3/elements/0/options/0/available_if'],
      ['comparison_unanswered', '/nodes/3/outputs/0/rules/0/condition'],
    ]);
  });

  it('a tag that nothing fills is warned of', () => {
    const definition = contractFlow();
    const body =
      '{{ client.any }} {{ home.street.id }} {{ yearly }} {{ yaerly }} {{ bank.iban }} {{ client.a.b }}';
    const nodes = [...definition.nodes, node('end', { elements: [{ kind: 'text', body }] })];
    assert.deepEqual(warned({ ...definition, nodes }), [
      ['tag_unknown', '/nodes/3/elements/0'],
      ['tag_unknown', '/nodes/3/elements/0'],
      ['tag_unknown', '/nodes/3/elements/0'],
    ]);
  });

  it('a tag of a template that nothing fills is warned of, once for each rule', () => {
    const definition = contractFlow();
    const rules = [{ asset_key: 'lease' }, { source_field: 'scan' }];
    const outputs = [{ key: 'o', name: 'O', rules, signers: [] }];
    const body = '{{ client.first_name }}';
    const nodes = [...definition.nodes, node('end', { elements: [{ kind: 'text', body }], outputs })];
    const tags = [
      'yearly',
      'yaerly',
      'yaerly',
      'client.first_name',
      'home.street.id',
      'client.iban',
      'cleint.iban',
    ];
    const found = [...warningsOf({ ...definition, nodes }, new Map([['lease', tags]]))];
    const path = '/nodes/3/outputs/0/rules/0/asset_key';
    assert.deepEqual(
      found.map(({ path: at, message }) => [at, message]),
      [
        [path, "Nothing fills the tag 'yaerly' of this PDF."],
        [path, "Nothing fills the tag 'client.iban' of this PDF. Use it in a text of the flow too."],
        [path, "Nothing fills the tag 'cleint.iban' of this PDF."],
      ],
    );
  });
});
