import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

test('the example of a contract flow says in one line what it is called with', () => {
  const script = join(import.meta.dirname, '../../examples/contract-flow/contract.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  assert.deepEqual([status, stdout], [2, '']);
  assert.match(stderr, /^Usage: [^\n]* FLOW_ID CONNECTION_ID\n$/);
});
