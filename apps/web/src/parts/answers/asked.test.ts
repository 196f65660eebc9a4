import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveRows, systemFieldTypes } from '@symbolon/field-types';
import type { Fields, OpenField } from '../../platform/fields.ts';
import { de } from '../../text/de.ts';
import { en } from '../../text/en.ts';
import { fieldLabels } from '../inner/labels.ts';
import { type Asked, firstPicks, foldedOf, offersOf, pickOf } from './asked.ts';

const index = new Map(systemFieldTypes.map((row) => [row.type, row]));
const types = { rows: systemFieldTypes, resolved: resolveRows(systemFieldTypes, index) };

function field(type: string, slug: string, label: string): OpenField {
  const text = 'a value';
  return {
    id: slug,
    type,
    slug,
    label,
    text,
    isPrivate: false,
    file: undefined,
    verifiedAt: undefined,
    updatedAt: 0,
  };
}

const claim: Asked = {
  key: 'claim name',
  kind: 'claim',
  id: 'name',
  type: 'text',
  label: null,
  required: false,
  verified: false,
  maxAgeDays: null,
  readable: false,
  mayLive: false,
  mustLive: false,
  suggest: undefined,
  names: ['name'],
};
const fields: Fields = {
  publicKey: '',
  types,
  fields: [
    field('phone', 'phone_1', 'Phone number'),
    field('country', 'home_2', 'Country'),
    field('text', 'colour_3', 'Favourite colour'),
    field('email', 'name_4', 'My name at work'),
    field('text', 'full_name_5', 'Full name'),
  ],
};
const idsOf = (offered: readonly OpenField[]) => offered.map(({ id }) => id);

test('what is asked as a text is offered texts, the one that is named alike first; other types wait behind them', () => {
  const { first, others } = offersOf(claim, fields);
  assert.deepEqual(idsOf(first), ['full_name_5', 'colour_3']);
  assert.deepEqual(idsOf(others), ['name_4', 'phone_1', 'home_2']);
});

test('the field that the site names is first, whatever its type', () => {
  const { first } = offersOf({ ...claim, suggest: 'phone_1' }, fields);
  assert.deepEqual(idsOf(first), ['phone_1', 'full_name_5', 'colour_3']);
});

test('a passport stands among the proofs of identity', () => {
  const file = { sealed: true, bytes: 10 } as OpenField['file'];
  const passport = { ...field('passport', 'passport_1', 'Passport'), text: null, file };
  const { first, others } = offersOf(
    { ...claim, type: 'proof_of_identity' },
    { ...fields, fields: [passport] },
  );
  assert.deepEqual([idsOf(first), others], [['passport_1'], []]);
});

test('a claim without a label has the name of the claim, and a row that of its type', () => {
  for (const [catalogue, name, email, text] of [
    [en, 'Name', 'Email address', 'Text'],
    [de, 'Name', 'E-Mail-Adresse', 'Text'],
  ] as const) {
    const texts: Readonly<Record<string, string>> = catalogue;
    const labels = fieldLabels((key) => texts[key]);
    assert.equal(labels.asked(claim, types), name);
    assert.equal(labels.asked({ ...claim, id: 'email', type: 'email' }, types), email);
    assert.equal(labels.asked({ ...claim, kind: 'row' }, types), text);
    assert.equal(labels.asked({ ...claim, label: 'Who are you?' }, types), 'Who are you?');
  }
});

test('an answer is picked to be sent once; only what the service always needs follows the field', () => {
  const mine = field('text', 'a_1', 'A');
  assert.deepEqual(pickOf({ mustLive: false }, mine), { field: mine, live: false });
  assert.deepEqual(pickOf({ mustLive: true }, mine), { field: mine, live: true });
});

test('what may be left out is folded behind what is needed, unless it is picked already', () => {
  const needed = { ...claim, key: 'needed', required: true };
  const [a, b] = [
    { ...claim, key: 'a' },
    { ...claim, key: 'b' },
  ];
  const picked = new Map([['b', { text: 'an answer' }]]);
  assert.deepEqual(foldedOf([needed, a, b], picked), [a]);
  assert.deepEqual(foldedOf([a, b], new Map()), []);
});

const needed: Asked = { ...claim, required: true };
const guessed = (asked: Asked, own: readonly OpenField[] = fields.fields) => {
  const pick = firstPicks([asked], { ...fields, fields: own }).get(asked.key);
  return pick?.field && [pick.field.id, pick.live, pick.isGuess];
};

test('for what is needed the field that is most likely meant is picked, to be sent once', () => {
  assert.deepEqual(guessed(needed), ['full_name_5', false, true]);
  const mail: Asked = { ...needed, type: 'email', names: ['contact'] };
  assert.deepEqual(guessed(mail), ['name_4', false, true], 'the only address');
  assert.deepEqual(guessed({ ...needed, suggest: 'phone_1' }), ['phone_1', false, true]);
});

test('nothing is guessed of what may be left out, follows the field, is a file, or is as likely as another', () => {
  assert.equal(guessed(claim), undefined);
  assert.equal(guessed({ ...needed, mustLive: true }), undefined);
  const colour = [field('text', 'colour_3', 'Favourite colour')];
  assert.equal(guessed(needed, colour), undefined, 'a text that is named otherwise');
  const two = [field('email', 'home_1', 'At home'), field('email', 'work_1', 'At work')];
  const mail: Asked = { ...needed, type: 'email', names: ['mail'] };
  assert.equal(guessed(mail, two), undefined);
  assert.deepEqual(guessed({ ...mail, names: ['mail_of_your_work'] }, two), ['work_1', false, true]);
  const file = { sealed: true, bytes: 10 } as OpenField['file'];
  const passport = { ...field('passport', 'passport_1', 'Passport'), text: null, file };
  assert.equal(guessed({ ...needed, type: 'passport' }, [passport]), undefined);
});

test('what was picked the last time is picked again, also where it may be left out', () => {
  const picks = firstPicks([claim, { ...claim, key: 'row', kind: 'row' }], fields, { name: 'colour_3' });
  assert.deepEqual([...picks.keys()], ['claim name']);
  assert.deepEqual(picks.get('claim name'), { field: fields.fields[2], live: false });
});
