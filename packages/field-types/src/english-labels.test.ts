import assert from 'node:assert/strict';
import { test } from 'node:test';
import { englishLabel } from './english-labels.ts';
import { systemRegistry } from './system-registry.ts';

test('every type of the platform has an English label, and every other type its own', () => {
  for (const row of systemRegistry.rows) assert.doesNotMatch(englishLabel(row), /_/, row.type);
  assert.equal(englishLabel({ type: 'pet', label: 'Haustier' }), 'Haustier');
  assert.equal(englishLabel({ type: 'pet', label: 'fieldtype_pet' }), 'fieldtype_pet');
});
