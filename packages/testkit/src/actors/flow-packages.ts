import { buffer } from 'node:stream/consumers';
import type { FlowDefinition, FlowField, FlowNode } from '@symbolon/protocol';
import { ZipFile } from 'yazl';

/*
 * Packages of flows, made from what stands here: one that gathers information, and one whose contract is made from a PDF with
 * tags in the text of its pages. Each also in the form that older packages have. `npm run flow-packages` writes them to
 * examples/flows.
 */

/** The date of every entry: the same content gives the same bytes, in every time zone. */
const MTIME = new Date(0);

export interface PackageSource {
  readonly definition: FlowDefinition;
  readonly assets: Readonly<Record<string, Buffer>>;
}

const field = (
  slug: string,
  label: string,
  field_type: string,
  more: Partial<FlowField> = {},
): FlowField => ({
  kind: 'field',
  slug,
  label,
  field_type,
  required: true,
  ...more,
});

/** A tenant tells of a damage; the company looks at it when it is urgent. No documents. */
export const damageReport: PackageSource = {
  definition: {
    name: 'Damage report',
    output_mode: 'data_only',
    entry: 'report',
    parties: [
      { key: 'tenant', label: 'Tenant' },
      { key: 'company', label: 'Company', type: 'owner' },
    ],
    nodes: [
      {
        key: 'report',
        party: 'tenant',
        title: 'What is damaged?',
        elements: [
          { kind: 'text', body: 'Dear {{ tenant.first_name }}, {{ company.company_name }} needs to know:' },
          field('room', 'Room', 'select', {
            options: [
              { value: 'kitchen', label: 'Kitchen' },
              { value: 'bath', label: 'Bath' },
            ],
          }),
          field('what', 'What happened?', 'text'),
          field('since', 'Since when?', 'date', { required: false }),
          field('cost', 'Estimated cost', 'number', { required: false, min: 0 }),
        ],
      },
      {
        key: 'urgent',
        party: 'tenant',
        title: 'When can we come?',
        elements: [field('visit', 'Day of the visit', 'date')],
      },
      {
        key: 'decide',
        party: 'company',
        title: 'Decision',
        elements: [
          field('decision', 'Decision', 'select', {
            options: [
              { value: 'repair', label: 'Repair' },
              { value: 'refuse', label: 'Refuse' },
            ],
          }),
        ],
      },
    ],
    edges: [
      { from: 'report', to: 'urgent', condition: { op: 'gt', field: 'cost', value: 500 }, sort: 1 },
      { from: 'report', to: 'decide', condition: null, sort: 2 },
      { from: 'urgent', to: 'decide', condition: null },
    ],
    constants: [
      {
        key: 'days_ago',
        label: 'Days since the damage',
        result_type: 'number',
        expr: { type: 'datediff', unit: 'days', from: { type: 'ref', key: 'since' }, to: { type: 'today' } },
      },
    ],
  },
  assets: {},
};

/** What a monthly `rent` makes in a year. */
export const rentOfYear: NonNullable<FlowDefinition['constants']>[number] = {
  key: 'rent_of_year',
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
};

/** A tenant and a landlord agree on a lease, which both sign. */
export const leaseContract: PackageSource = {
  definition: {
    name: 'Lease contract',
    output_mode: 'document',
    entry: 'tenant',
    parties: [
      { key: 'tenant', label: 'Tenant' },
      { key: 'landlord', label: 'Landlord', type: 'owner' },
    ],
    nodes: [
      {
        key: 'tenant',
        party: 'tenant',
        title: 'About you',
        elements: [
          { kind: 'text', body: 'These go into the contract with {{ landlord.company_name }}.' },
          field('tenant_name', 'Full name', 'text'),
          field('move_in', 'Move-in date', 'date'),
        ],
      },
      {
        key: 'offer',
        party: 'landlord',
        title: 'The offer',
        elements: [
          field('landlord_name', 'Name of the landlord', 'text'),
          field('rent', 'Monthly rent', 'decimal'),
        ],
        outputs: [
          {
            key: 'lease',
            name: 'Lease',
            rules: [
              {
                condition: null,
                asset_key: 'lease',
                tags: ['landlord_name', 'tenant_name', 'move_in', 'rent', 'rent_of_year'],
              },
            ],
            signers: [
              { party: 'tenant', sign: true },
              { party: 'landlord', sign: true },
            ],
          },
        ],
      },
    ],
    edges: [{ from: 'tenant', to: 'offer', condition: null }],
    constants: [rentOfYear],
  },
  assets: {
    lease: textPdf([
      'Lease',
      '',
      'Between {{landlord_name}}, the landlord, and {{tenant_name}}, the tenant.',
      'The tenant moves in on {{ move_in }}.',
      'The rent is {{rent}} a month, {{rent_of_year}} a year.',
    ]),
  },
};

/** The files in examples/flows, by name. */
export async function examplePackages(): Promise<Readonly<Record<string, Buffer>>> {
  return {
    'damage-report.zip': await packageOf(damageReport),
    'lease-contract.zip': await packageOf(leaseContract),
    'older/damage-report.zip': await packageOf(damageReport, 'older'),
    'older/lease-contract.zip': await packageOf(leaseContract, 'older'),
  };
}

/** The definition in the form of older packages: `pdfs` at the nodes, whose party signs. */
export function olderForm(definition: FlowDefinition): object {
  const nodes = definition.nodes.map(({ outputs = [], ...node }: FlowNode) => ({
    ...node,
    pdfs: outputs.flatMap(({ rules }) =>
      rules.map(({ asset_key, condition = null, tags = [] }) => ({ asset_key, condition, tags })),
    ),
  }));
  return { ...definition, nodes };
}

/** The package as a zip. */
export function packageOf(
  { definition, assets }: PackageSource,
  form: 'current' | 'older' = 'current',
): Promise<Buffer> {
  const entries = Object.entries(assets);
  const manifest = {
    format_version: 1,
    ...(form === 'older' ? olderForm(definition) : definition),
    assets: entries.map(([key]) => ({
      asset_key: key,
      kind: 'pdf',
      file: `assets/${key}.pdf`,
      mime_type: 'application/pdf',
      original_name: `${key}.pdf`,
    })),
  };
  const files = Object.fromEntries(entries.map(([key, bytes]) => [`assets/${key}.pdf`, bytes]));
  return zipOf({ 'flow.json': JSON.stringify(manifest, undefined, 2), ...files }, { compress: false });
}

/** A zip with these entries. What is packed depends on the version of zlib, what is only stored does not. */
export function zipOf(
  entries: Readonly<Record<string, string | Buffer>>,
  { compress = true } = {},
): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(entries))
    zip.addBuffer(Buffer.from(content), name, { mtime: MTIME, compress });
  zip.end();
  return buffer(zip.outputStream);
}

/** A PDF with one page of plain lines of text. */
export function textPdf(lines: readonly string[]): Buffer {
  const shown = lines.map((line) => `(${line.replaceAll(/[\\()]/g, '\\$&')}) Tj T*`).join('\n');
  const content = `BT /F1 12 Tf 16 TL 72 760 Td\n${shown}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let file = '%PDF-1.7\n';
  const places = objects.map((object, index) => {
    const place = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}`;
  return Buffer.from(
    `${file}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
    'latin1',
  );
}
