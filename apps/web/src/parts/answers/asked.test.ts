import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveRows, systemFieldTypes } from '@symbolon/field-types';
import type { Fields, OpenField } from '../../platform/fields.ts';
import { de } from '../../text/de.ts';
import { en } from '../../text/en.ts';
import { fieldLabels } from '../labels.ts';
import { type Asked, foldedOf, offersOf, pickOf } from './asked.ts';

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
