import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemRegistry } from '@symbolon/field-types';
import { partyView } from './party-view.ts';
import { contractFlow, field } from './testing/samples.ts';

const SECRET = 'Tom the cat';
const state = {
  definition: contractFlow(),
  fieldTypes: systemRegistry,
  answers: new Map<string, unknown>([
    ['pet', 'cat'],
    ['country', 'BE'],
    ['pet_name', SECRET],
    ['rent', '75.50'],
  ]),
  referenceDate: '2026-06-15',
};
const standing = {
  way: ['start', 'pets', 'offer'],
  current: 'offer',
  tagValues: new Map([
    ['client.full_name', 'Ada Lovelace'],
    ['landlord.company_name', 'Acme {{ pet_name }}'],
  ]),
};

describe('what a party sees of a run (wire 13.7)', () => {
  it('a party sees its own steps with their answers, and who is awaited', () => {
    const view = partyView(state, standing, 'client');
    assert.deepEqual(view.awaited, { party: 'landlord', label: 'Landlord' });
    assert.deepEqual(
      view.steps.map(({ key, current }) => [key, current]),
      [
        ['start', false],
        ['pets', false],
      ],
    );
    const [text, pet] = view.steps[0]!.elements;
    assert.ok(text?.kind === 'text' && pet?.kind === 'field');
    assert.equal(
      text.pieces.map(({ text }) => text).join(''),
      'Dear Ada Lovelace, this is Acme {{ pet_name }}.',
    );
    assert.equal(pet.answer, 'cat');
    assert.deepEqual(
      pet.choices?.map(({ value }) => value),
      ['none', 'cat'],
    );
  });

  it('a party sees nothing of the steps and answers of others', () => {
    const view = partyView(state, standing, 'landlord');
    assert.deepEqual(
      view.steps.map(({ key, current }) => [key, current]),
      [['offer', true]],
    );
    const shown = JSON.stringify(view);
    for (const other of [SECRET, 'pet_name', 'BE', 'Ada']) assert.ok(!shown.includes(other), other);
    assert.deepEqual(partyView(state, standing, 'stranger').steps, []);
  });

  it('an answer of a step that is not on the way is hidden from every party', () => {
    const beside = { ...standing, way: ['start', 'offer'] };
    for (const party of ['client', 'landlord'])
      assert.ok(!JSON.stringify(partyView(state, beside, party)).includes(SECRET));
  });

  it('the inputs of a plugin are filled, and a default stands in a step that waits', () => {
    const definition = contractFlow();
    const [start, ...others] = definition.nodes;
    const garden = { ...start!.elements[2]!, default: 'yes', min: 1 };
    const nodes = [{ ...start!, elements: [garden, start!.elements[4]!] }, ...others];
    const country = {
      key: 'country',
      label: 'C',
      result_type: 'text',
      expr: { type: 'lit', value_type: 'text', value: 'BE' },
    } as const;
    const changed = { ...state, definition: { ...definition, nodes, constants: [country] } };
    const view = (current: string | null) =>
      partyView(changed, { ...standing, way: ['start'], current }, 'client').steps[0]!.elements;
    const [waiting, home] = view('start');
    assert.ok(waiting?.kind === 'field' && home?.kind === 'plugin');
    assert.deepEqual([waiting.answer, waiting.min, waiting.max, waiting.choices], ['yes', 1, null, null]);
    assert.deepEqual([...home.inputs], [['country', 'BE']]);
    assert.equal(home.answer, null);
    const [done] = view(null);
    assert.ok(done?.kind === 'field');
    assert.equal(done.answer, null);
    assert.equal(partyView(changed, { ...standing, current: null }, 'client').awaited, null);
  });

  it('bounds and defaults are computed from the answers and constants at hand', () => {
    const definition = contractFlow();
    const [start, ...others] = definition.nodes;
    const ref = (key: string) => ({ type: 'ref', key }) as const;
    const garden = {
      ...start!.elements[2]!,
      default: { type: 'today' },
      min: ref('rent'),
      max: ref('yearly'),
    };
    const nodes = [{ ...start!, elements: [garden, field('rent')] }, ...others];
    const answers = new Map([['rent', '10']]);
    const changed = { ...state, answers, definition: { ...definition, nodes } };
    const at = { ...standing, way: ['start'], current: 'start' };
    const [waiting] = partyView(changed, at, 'client').steps[0]!.elements;
    assert.ok(waiting?.kind === 'field');
    assert.deepEqual([waiting.answer, waiting.min, waiting.max], [state.referenceDate, '10', 120]);
  });
});
