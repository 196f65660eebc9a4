import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemRegistry } from '@symbolon/field-types';
import type { FlowField } from '@symbolon/protocol';
import { checkAnswers } from './check-answers.ts';
import { field, node, plugin } from './testing/samples.ts';

const options = [
  { value: 'cat', label: 'Cat' },
  { value: 'dog', label: 'Dog', available_if: { op: 'eq', field: 'garden', value: true } },
] as const;
const choice = { field_type: 'select', options: [...options] };
const several = { field_type: 'multiselect', options: [...options] };
const number = { field_type: 'integer', min: 1, max: '10' };
const five = { type: 'ref', key: 'five' } as const;
const twice = { type: 'math', op: 'add', args: [five, five] } as const;
const day = { field_type: 'date', min: '2026-01-01', max: '2026-12-31' };

describe('answers of one step (wire 13.7)', () => {
  const table: [codes: string[], element: Partial<FlowField>, answer: unknown, garden?: boolean][] = [
    [[], {}, undefined],
    [['required'], { required: true }, undefined],
    [['required'], { required: true }, null],
    [['required'], { required: true }, ''],
    [[], { required: true }, '0'],
    // 0 is an answer, although a number is given as text.
    [['value_invalid'], { required: true, field_type: 'number' }, 0],
    [['value_invalid'], { field_type: 'email' }, 'nobody'],
    [['value_invalid'], { field_type: 'date' }, '2026-02-30'],
    [[], { field_type: 'of_another_platform' }, 'x'],
    [[], choice, 'cat'],
    [['option_unavailable'], choice, 'dog'],
    [[], choice, 'dog', true],
    [['value_invalid'], choice, 'cow', true],
    [['value_invalid'], { field_type: 'select' }, 'cat'],
    [[], several, '["cat","dog"]', true],
    [['option_unavailable'], several, '["cat","dog"]', false],
    [[], several, '["cat"]'],
    [[], { field_type: 'gender', options: [...options] }, 'Female'],
    [['value_invalid'], { field_type: 'gender', options: [...options] }, 'cat'],
    [[], number, '1'],
    [[], number, '10'],
    [['below_min'], number, '0'],
    [['above_max'], number, '11'],
    [['value_invalid'], number, '1.5'],
    [[], { ...number, min: null, max: 'x' }, '-5'],
    [['below_min'], { ...number, min: twice, max: null }, '9'],
    [[], { ...number, min: twice, max: null }, '10'],
    [['above_max'], { ...number, min: null, max: { type: 'ref', key: 'five' } }, '6'],
    [[], { ...number, min: { type: 'ref', key: 'missing' }, max: true }, '-100'],
    [[], { ...number, min: { type: 'lit', value_type: 'boolean', value: true }, max: false }, '-100'],
    [['below_min'], { ...day, min: { type: 'today' } }, '2026-06-14'],
    [[], { ...day, min: { type: 'today' } }, '2026-06-15'],
    // The bound of a number is no date.
    [[], { ...day, min: twice }, '2026-01-01'],
    // The draft of this step counts too.
    [[], { ...number, min: { type: 'ref', key: 'it' } }, '7'],
    [[], day, '2026-01-01'],
    [['below_min'], day, '2025-12-31'],
    [['above_max'], day, '2027-01-01'],
    [[], { field_type: 'date', min: '2026' }, '0001-01-01'],
    [[], { field_type: 'text', min: 5, max: 1 }, '3'],
  ];
  for (const [codes, element, answer, garden] of table) {
    it(`${JSON.stringify(answer)} for ${JSON.stringify(element)}${garden ? ' with a garden' : ''}: ${codes[0] ?? 'right'}`, () => {
      const step = node('start', { elements: [field('it', element)] });
      const answers = new Map([['it', answer]]);
      const values = new Map<string, unknown>([
        ['garden', garden],
        ['five', '5'],
        ['it', answer],
      ]);
      const issues = checkAnswers(
        step,
        { answers, fieldTypes: systemRegistry, referenceDate: '2026-06-15' },
        values,
      );
      assert.deepEqual(
        issues.map(({ code }) => code),
        codes,
      );
      assert.ok(issues.every(({ slug, message }) => slug === 'it' && message.length > 0));
    });
  }

  it('a required answer of a plugin must be finished, and texts need none', () => {
    const step = node('start', { elements: [plugin('home'), { kind: 'text', body: 'x' }] });
    const check = (answer: unknown) =>
      checkAnswers(
        step,
        { answers: new Map([['home', answer]]), fieldTypes: systemRegistry, referenceDate: '2026-06-15' },
        new Map(),
      );
    assert.equal(check('{"blocks":[]}')[0]?.code, 'required');
    assert.equal(check(undefined)[0]?.code, 'required');
    assert.deepEqual(check('{"blocks":[],"outputs":[]}'), []);
    const optional = { ...plugin('home'), required: false };
    const answers = new Map([['home', '{}']]);
    const issues = checkAnswers(
      node('n', { elements: [optional] }),
      { answers, fieldTypes: systemRegistry, referenceDate: '2026-06-15' },
      new Map(),
    );
    assert.deepEqual(issues, []);
  });
});
