import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beganFlow, leftFlows, openedFlow, touchedFlow } from './untouched.ts';

test('a flow that was begun and left untouched is removed, and no other one', async () => {
  const removed: string[] = [];
  const remove = async ({ flowId }: { flowId: string }) => void removed.push(flowId);
  const opened = (flowId: string) => openedFlow({ serviceId: 's', flowId }, remove);
  for (const flow of ['left', 'changed', 'again']) beganFlow(flow);
  opened('left')();
  await leftFlows();
  assert.deepEqual(removed, ['left']);

  const leave = opened('changed');
  touchedFlow('changed');
  leave();
  opened('older')();
  opened('again')();
  const close = opened('again');
  await leftFlows();
  assert.deepEqual(removed, ['left'], 'redrawn, it is open');
  close();
  await leftFlows();
  opened('again')();
  await leftFlows();
  assert.deepEqual(removed, ['left', 'again'], 'once');
});
