import { zipOf } from '../flows/package-zip.ts';
import { contractPdf } from './contract-pdf.ts';

/**
 * A contract that two parties make in turn: the customer says what she wants, the company what it costs, and both sign what
 * comes of it.
 */
export const rentalFlow = {
  name: 'Bike subscription',
  output_mode: 'document',
  entry: 'wish',
  parties: [
    { key: 'rider', label: 'Rider' },
    { key: 'shop', label: 'Shop', type: 'owner' },
  ],
  nodes: [
    {
      key: 'wish',
      party: 'rider',
      title: 'Your bike',
      elements: [
        { kind: 'text', body: 'Dear {{ rider.full_name }}, which bike is it to be?' },
        {
          kind: 'field',
          slug: 'bike',
          field_type: 'select',
          label: 'Bike',
          required: true,
          options: [
            { value: 'city', label: 'City bike' },
            { value: 'cargo', label: 'Cargo bike' },
          ],
        },
        { kind: 'field', slug: 'months', field_type: 'integer', label: 'Months', required: true, min: 1 },
      ],
    },
    {
      key: 'load',
      party: 'rider',
      title: 'Your load',
      elements: [{ kind: 'field', slug: 'load', field_type: 'text', label: 'Load', required: true }],
    },
    {
      key: 'offer',
      party: 'shop',
      title: 'The offer',
      elements: [
        { kind: 'field', slug: 'price', field_type: 'integer', label: 'Euros a month', required: true },
      ],
      outputs: [
        {
          key: 'subscription',
          name: 'Bike subscription',
          rules: [{ asset_key: 'subscription' }],
          signers: [
            { party: 'rider', sign: true },
            { party: 'shop', sign: true },
          ],
        },
      ],
    },
  ],
  edges: [
    { from: 'wish', to: 'load', condition: { op: 'eq', field: 'bike', value: 'cargo' }, sort: 0 },
    { from: 'wish', to: 'offer', condition: null, sort: 1 },
    { from: 'load', to: 'offer', condition: null },
  ],
  constants: [
    {
      key: 'total',
      label: 'In all',
      result_type: 'number',
      expr: {
        type: 'math',
        op: 'mul',
        args: [
          { type: 'ref', key: 'price' },
          { type: 'ref', key: 'months' },
        ],
      },
    },
  ],
} as const;

/** The package of it: the definition, and the template with tags in the text of its page. */
export function rentalPackage(): Promise<Uint8Array<ArrayBuffer>> {
  const asset = {
    ...{ asset_key: 'subscription', kind: 'pdf', file: 'assets/subscription.pdf' },
    ...{ mime_type: 'application/pdf', original_name: 'subscription.pdf' },
  };
  const manifest = { format_version: 1, ...rentalFlow, assets: [asset] };
  const template = contractPdf([
    'Bike subscription',
    '',
    'Rider: {{rider.full_name}}',
    'Bike: {{bike}} for {{load}}',
    '{{months}} months at {{price}} euros a month, {{total}} euros in all.',
  ]);
  return zipOf({
    'flow.json': new TextEncoder().encode(JSON.stringify(manifest)),
    'assets/subscription.pdf': template,
  });
}
