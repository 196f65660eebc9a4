import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Shares } from './shares.ts';

test('a party and all together hold no more than they may, and what is given back can be taken again', () => {
  const shares = new Shares({ perParty: 3, inAll: 5 });
  shares.take('a', 2);
  assert.equal(shares.exceeded('a', 2), 'party');
  shares.take('a');
  shares.take('b', 2);
  assert.equal(shares.exceeded('c'), 'all');
  shares.giveBack('a');
  assert.equal(shares.exceeded('c'), undefined);
  shares.giveBack('a', 2);
  assert.equal(shares.exceeded('a', 3), undefined);
  const unlimited = new Shares({ perParty: 0, inAll: 0 });
  unlimited.take('a', 1e9);
  assert.equal(unlimited.exceeded('a', 1e9), undefined);
});
