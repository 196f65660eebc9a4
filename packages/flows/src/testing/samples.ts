import { systemRegistry } from '@symbolon/field-types';
import type { FlowDefinition, FlowField, FlowNode, FlowPlugin } from '@symbolon/protocol';
import type { Surroundings } from '../check-definition.ts';

export const surroundings: Surroundings = {
  fieldTypes: systemRegistry,
  assets: new Set(['contract', 'contract_short']),
  plugins: new Map([['places', new Set(['place'])]]),
};

export function field(slug: string, further: Partial<FlowField> = {}): FlowField {
  return { kind: 'field', slug, field_type: 'text', label: slug, required: false, ...further };
}

export function node(key: string, further: Partial<FlowNode> = {}): FlowNode {
  return { key, party: 'client', title: key, elements: [], ...further };
}

export function plugin(slug: string, inputs: Record<string, string> = {}): FlowPlugin {
  const member = (key: string) => ({ key, label: key });
  return {
    kind: 'plugin',
    slug,
    label: slug,
    required: true,
    plugin: {
      plugin_id: 'places',
      field_type: 'place',
      snapshot: {
        label: 'Place',
        blocks: [
          { ...member('street'), kind: 'search_select', required: true },
          { ...member('city'), kind: 'text', required: false },
        ],
        inputs: [{ ...member('country'), type: 'text', required: true }],
        outputs: [{ ...member('rent'), type: 'number' }],
      },
      inputs,
    },
  };
}

/** A tenant answers, the landlord decides, and at the end stands a contract that both sign. */
export function contractFlow(): FlowDefinition {
  return {
    name: 'Rental contract',
    output_mode: 'document',
    entry: 'start',
    parties: [
      { key: 'client', label: 'Tenant' },
      { key: 'landlord', label: 'Landlord', type: 'owner' },
    ],
    nodes: [
      node('start', {
        elements: [
          { kind: 'text', body: 'Dear {{ client.full_name }}, this is {{ landlord.company_name }}.' },
          field('pet', {
            field_type: 'select',
            required: true,
            options: [
              { value: 'none', label: 'None' },
              { value: 'cat', label: 'Cat' },
              { value: 'dog', label: 'Dog', available_if: { op: 'eq', field: 'garden', value: 'yes' } },
            ],
          }),
          field('garden'),
          field('country', { field_type: 'country' }),
          plugin('home', { country: 'country' }),
          field('plan', { field_type: 'pdf_document' }),
        ],
      }),
      node('pets', { elements: [field('pet_name', { required: true })] }),
      node('offer', {
        party: 'landlord',
        elements: [field('rent', { field_type: 'decimal', required: true })],
        outputs: [
          {
            key: 'contract',
            name: 'Contract',
            rules: [
              { condition: { op: 'answered', field: 'plan' }, source_field: 'plan' },
              { condition: { op: 'lt', field: 'yearly', value: 1000 }, asset_key: 'contract_short' },
              { asset_key: 'contract' },
            ],
            signers: [
              { party: 'client', sign: true },
              { party: 'landlord', sign: true },
            ],
          },
        ],
      }),
    ],
    edges: [
      { from: 'start', to: 'offer', condition: null, sort: 2 },
      { from: 'start', to: 'pets', condition: { op: 'ne', field: 'pet', value: 'none' }, sort: 1 },
      { from: 'pets', to: 'offer', condition: null },
    ],
    constants: [
      {
        key: 'yearly',
        label: 'Rent of a year',
        result_type: 'number',
        expr: {
          type: 'math',
          op: 'mul',
          args: [
            { type: 'ref', key: 'rent' },
            { type: 'lit', value_type: 'number', value: 12 },
          ],
        },
      },
    ],
  };
}
