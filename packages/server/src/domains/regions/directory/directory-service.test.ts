import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DirectoryService } from './directory-service.ts';

test('names that could not be looked at count as unclaimed', async () => {
  const write = () => Promise.reject(new Error('The disk is full.'));
  const directory = new DirectoryService({
    clock: { now: () => 0 },
    database: { write },
    regions: { own: 'eu' },
  } as never);
  const names = [{ kind: 'share_code', name: 'ABC234' }] as const;
  await assert.rejects(directory.claim({ kind: 'person', id: 'one' }, names), /The disk is full/);
});
