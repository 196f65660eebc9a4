import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemRegistry } from '@symbolon/field-types';
import type { FlowField, FlowNode } from '@symbolon/flows';
import type { PluginFields } from '../plugin-fields/plugin-fields.ts';
import type { OpenFlowRun } from './open-run.ts';
import { checkedStep } from './step-answers.ts';
import type { FlowAnswers } from './typed-answers.ts';

const field = (slug: string, further: Partial<FlowField>): FlowField => ({
  ...{ kind: 'field', slug, field_type: 'number', label: slug, required: false },
  ...further,
});

function checked(elements: FlowField[], answers: FlowAnswers) {
  const node: FlowNode = { key: 'step', party: 'client', title: 'Step', elements };
  const definition = {
    name: 'Flow',
    output_mode: 'data_only',
    parties: [],
    nodes: [node],
    edges: [],
  } as const;
  const state = {
    definition: { ...definition, parties: [], nodes: [node], edges: [] },
    fieldTypes: systemRegistry,
    answers: new Map(),
    referenceDate: '2026-06-15',
  };
  const open = { state, way: ['step'] } as unknown as OpenFlowRun;
  return checkedStep(open, node, { answers, plugins: {} as PluginFields });
}

const codesOf = async (elements: FlowField[], answers: FlowAnswers) => {
  const error = await checked(elements, answers).then(
    () => undefined,
    (cause: { details: { issues: { code: string; slug: string }[] } }) => cause,
  );
  return error?.details.issues.map(({ code, slug }) => [code, slug]) ?? [];
};

test('a default and a bound that are computed count as those that are written', async () => {
  const least = field('least', { required: true });
  const start = field('start', { field_type: 'date', default: { type: 'today' } });
  const rooms = field('rooms', {
    min: { type: 'ref', key: 'least' },
    default: { type: 'ref', key: 'least' },
  });
  const { texts } = await checked([least, start, rooms], { least: 3 });
  assert.deepEqual(Object.fromEntries(texts), { least: '3', start: '2026-06-15', rooms: '3' });
  assert.deepEqual(await codesOf([least, rooms], { least: 3, rooms: 2 }), [['below_min', 'rooms']]);
  assert.deepEqual(await codesOf([least, rooms], { least: 3, rooms: 4 }), []);
  assert.deepEqual(await codesOf([field('none', { min: null, max: null, default: null })], {}), []);
});

test('an envelope without its file is no answer', async () => {
  const paper = field('paper', { field_type: 'document' });
  assert.deepEqual(await codesOf([paper], { paper: { envelope: '{"mime_type":"image"}' } }), [
    ['value_invalid', 'paper'],
  ]);
});
