import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemRegistry } from '@symbolon/field-types';
import type { FlowDefinition } from '@symbolon/flows';
import { choicesFor, isJsonAnswer } from './answer-choices.ts';

const options = [{ value: 'carpet', label: 'A carpet' }];
const field = (slug: string, field_type: string) =>
  ({ kind: 'field', slug, field_type, label: slug, required: false, options }) as const;
const definition: FlowDefinition = {
  name: 'x',
  output_mode: 'data_only',
  parties: [],
  nodes: [
    {
      key: 'a',
      party: 'b',
      title: 'c',
      elements: [field('one', 'select'), field('some', 'multiselect'), field('home', 'address')],
    },
  ],
  edges: [],
};

test('one choice of several is looked for with its quotation marks, and by nothing else', () => {
  const values = (slug: string, op: 'eq' | 'in' | 'contains' | 'not_contains') =>
    choicesFor(definition, slug, systemRegistry, op, 'en')?.map(({ value }) => value);
  assert.deepEqual(values('some', 'contains'), ['"carpet"']);
  assert.deepEqual(values('some', 'not_contains'), ['"carpet"']);
  assert.deepEqual([values('some', 'eq'), values('some', 'in')], [undefined, undefined]);
  assert.deepEqual(values('one', 'contains'), ['carpet']);
  assert.deepEqual(
    ['one', 'some', 'home', 'missing'].map((slug) => isJsonAnswer(definition, slug, systemRegistry)),
    [false, true, true, false],
  );
});
