import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemRegistry } from '@symbolon/field-types';
import type { FlowNode } from '@symbolon/flows';
import { textPdf } from '@symbolon/testkit/actors/flow-packages';
import { textOfPdf } from '../verify/pdf-text.ts';
import { answersNotIn, requireSameAnswers } from './document-answers.ts';
import type { OpenFlowRun } from './open-run.ts';

const field = (slug: string, field_type: string) =>
  ({ kind: 'field', slug, label: `The ${slug}`, field_type, required: true }) as const;
const node: FlowNode = {
  key: 'offer',
  party: 'landlord',
  title: 'Offer',
  elements: [field('rent', 'decimal'), field('rooms', 'multiselect')],
  outputs: [{ key: 'lease', name: 'Lease', rules: [{ asset_key: 'lease' }], signers: [] }],
};

/** A run in which the landlord answered a rent and rooms. */
const run = {
  run: { participants: [{ documents: [{ document_id: 'd1', output_key: 'lease' }] }] },
  state: {
    definition: { name: 'Lease', output_mode: 'document', parties: [], nodes: [node], edges: [] },
    fieldTypes: systemRegistry,
  },
  way: ['offer'],
  values: new Map([
    ['rent', '90'],
    ['rooms', '["bath","kitchen"]'],
  ]),
  files: new Map(),
} as unknown as OpenFlowRun;
const open = async () => run;

test('a document with another number is refused, and the missing answers are named', async () => {
  const right = textPdf(['The rent is 90 a month.', 'Rooms: bath, kitchen.']);
  const wrong = textPdf(['The rent is 1 a month.', 'Rooms: bath, kitchen.']);
  assert.match(await textOfPdf(right), /The rent is 90 a month/);
  await requireSameAnswers('d1', right, { open, by: { textOf: textOfPdf } });
  await assert.rejects(requireSameAnswers('d1', wrong, { open, by: { textOf: textOfPdf } }), {
    errorKey: 'sdk.document_differs',
    details: { answers: [{ key: 'rent', label: 'The rent', text: '90' }] },
  });
  assert.deepEqual(
    answersNotIn(run, 'd1', '').map(({ key }) => key),
    ['rent', 'rooms'],
  );
});

test('nothing is signed unseen: the caller says how a document is compared, or that it was', async () => {
  const pdf = textPdf(['x']);
  await assert.rejects(requireSameAnswers('d1', pdf, { open, by: {} }), {
    errorKey: 'sdk.document_not_compared',
  });
  await requireSameAnswers('d1', pdf, { open, by: { compared: true } });
});
