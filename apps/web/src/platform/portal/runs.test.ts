import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FlowRun } from '@symbolon/protocol';
import { type RunBoard, withFurther } from './runs.ts';

const runs = (...ids: string[]) => ids.map((id) => ({ id }) as FlowRun);
const board = (columns: Partial<RunBoard['columns']>, customer: number): RunBoard => ({
  totals: { customer, company: 0, generating: 0, signature: 0, done: 0, ended: 0 },
  columns: { customer: [], company: [], generating: [], signature: [], done: [], ended: [], ...columns },
  customers: new Map(),
});

test('the runs of a column that follow join it, and a run that moved on meanwhile stands in one column', () => {
  const before = board({ customer: runs('f', 'e'), company: runs('c') }, 5);
  const { totals, columns } = withFurther(before, board({ customer: runs('d', 'c') }, 4));
  assert.deepEqual(columns.customer, runs('f', 'e', 'd', 'c'));
  assert.deepEqual(columns.company, []);
  assert.equal(totals.customer, 4);
});
