import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Card } from '../../platform/approvals.ts';
import { CardList, goneOf, merge, outcomeOf } from './cards.ts';

const card = (challenge_id: string) => ({ challenge_id }) as Card;
const open = (id: string) => ({ card: card(id), outcome: undefined });

test('a new card comes first, and nothing that is shown moves or goes by itself', () => {
  const shown = [open('b'), { card: card('a'), outcome: 'approved' as const }];
  const cards = [card('b'), card('c'), card('d')];
  assert.deepEqual(
    merge(shown, cards).map(({ card }) => card.challenge_id),
    ['d', 'c', 'b', 'a'],
  );
  assert.deepEqual(goneOf(shown, [card('c')]), ['b']);
  assert.deepEqual(goneOf(shown, cards), []);
});

test('an answer given on another device is shown as that', () => {
  assert.deepEqual(
    ['approved', 'denied', 'expired', 'revoked', undefined].map((status) => outcomeOf(status as never)),
    ['elsewhere', 'elsewhere', 'expired', 'revoked', 'revoked'],
  );
});

const idsOf = (list: CardList) => list.shown.map(({ card }) => card.challenge_id);

test('a card that was dismissed does not come back with a listing that was begun before', () => {
  const list = new CardList();
  list.take([card('a')]);
  list.decide('a', 'approved');
  list.dismiss('a');
  list.take([card('a'), card('b')]);
  assert.deepEqual(idsOf(list), ['b']);
});
