import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestField, RequestFieldConfig, RequestFieldInput } from '@symbolon/protocol';
import { clashesOf, countChanges, inputOf, rebase, type Side, sideOf, standing } from './asks-draft.ts';

const row = (slug: string, label = slug): RequestFieldInput => ({ slug, label, type: 'text' });
const slugs = (rows: readonly RequestFieldInput[]) => rows.map(({ label }) => label).join(' ');

const base = [row('a'), row('b'), row('c'), row('d'), row('e')];
const theirs = [
  row('a', 'a-theirs'),
  row('b', 'b-theirs'),
  row('e'),
  row('x', 'x-theirs'),
  row('d', 'd-theirs'),
];
const mine = [
  row('a', 'a-mine'),
  row('b'),
  row('c', 'c-mine'),
  row('e', 'e-mine'),
  row('x', 'x-mine'),
  row('y'),
];

test('both changed what each side made different, and removed what is there no more', () => {
  assert.deepEqual(
    clashesOf(mine, base, theirs).map((clash) => [
      clash.label,
      clash.was?.label,
      clash.theirs?.label,
      clash.yours?.label,
      sideOf(clash),
    ]),
    [
      ['a-mine', 'a', 'a-theirs', 'a-mine', 'yours'],
      ['x-mine', undefined, 'x-theirs', 'x-mine', 'yours'],
      ['d', 'd', 'd-theirs', undefined, 'yours'],
      ['c-mine', 'c', undefined, 'c-mine', 'theirs'],
    ],
  );
  assert.deepEqual(clashesOf(mine, base, mine), []);
  assert.deepEqual(clashesOf(mine, base, base), []);
});

test('why it is asked counts as every other part of a question', () => {
  const because = (reason: string) => [{ ...row('a'), reason }];
  assert.equal(countChanges(because('For the post'), [row('a')]), 1);
  assert.equal(clashesOf(because('For the post'), [row('a')], because('For the bill')).length, 1);
  assert.deepEqual(rebase(because('For the post'), [row('a')], [row('a')]), because('For the post'));
});

test('one draft goes onto another by what is chosen, and otherwise stays as it is here', () => {
  assert.equal(slugs(rebase(mine, base, theirs)), 'a-mine b-theirs e-mine x-mine y');
  const chosen = new Map<string, Side>([
    ...['a', 'x', 'd'].map((slug) => [slug, 'theirs'] as const),
    ['c', 'yours'],
  ]);
  assert.equal(
    slugs(rebase(mine, base, theirs, chosen)),
    'a-theirs b-theirs e-mine x-theirs d-theirs c-mine y',
  );
  assert.equal(slugs(rebase(base, base, theirs)), slugs(theirs));
});

test('an order of one of them stays, and of two orders the published one', () => {
  const [ab, ba, abc] = [
    [row('a'), row('b')],
    [row('b'), row('a')],
    [row('a'), row('b'), row('c')],
  ];
  assert.equal(slugs(rebase(ba, ab, abc)), 'b a c');
  assert.equal(slugs(rebase(ab, ab, ba)), 'b a');
  assert.equal(slugs(rebase([row('b'), row('c'), row('a')], abc, [row('c'), row('b'), row('a')])), 'c b a');
});

test('what is edited stands until the published version is the same', () => {
  const config = (version: number, rows: readonly RequestFieldInput[]): RequestFieldConfig => ({
    config_token: `${version}`,
    version,
    request_fields: rows.map((each) => ({
      ...{ one_time: false, mandatory_provide: false, mandatory_connected: false, verified: false },
      ...{ verified_max_age_days: null, audience: 'both', id: each.slug, ...each },
    })) as RequestField[],
  });
  const [first, second, published] = [config(1, base), config(2, theirs), config(2, mine)];
  assert.deepEqual(standing({}, second), { base: second, rows: second.request_fields.map(inputOf) });
  assert.deepEqual(standing({ base: first, rows: mine }, second), { base: first, rows: mine });
  assert.equal(standing({ base: first, rows: mine }, published).base, published);
});
