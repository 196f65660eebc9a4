import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import type { FlowDefinition } from '@symbolon/protocol';
import { createService, registerCompany } from '@symbolon/testkit/actors/actors';
import { FakeTimers } from '@symbolon/testkit/platform/fake-timers';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { Deadline } from '../../../core/deadline.ts';
import { definitionWork } from './definition-work.ts';
import { LargeDefinitions } from './large-definitions.ts';

const NODES = 10_000;

/** A way through as many steps as a flow may have: 2.3 MB. */
function longWay(nodes: number): FlowDefinition {
  const key = (index: number) => `step_${index}`;
  const field = { field_type: 'text', label: 'What is to be said here', required: false } as const;
  return {
    name: 'A long way',
    output_mode: 'data_only',
    entry: key(0),
    parties: [{ key: 'client', label: 'Client' }],
    nodes: Array.from({ length: nodes }, (_, index) => ({
      ...{ key: key(index), party: 'client', title: `Step ${index}` },
      elements: [{ kind: 'field', slug: `said_${index}`, ...field }],
    })),
    edges: Array.from({ length: nodes - 1 }, (_, index) => ({
      ...{ from: key(index), to: key(index + 1), sort: 1 },
      condition: { op: 'ne', field: `said_${index}`, value: 'nothing' },
    })),
    constants: [],
  };
}

onPlatform('large definitions', (platform) => {
  test('are not worked on by the thread that answers, and a draft that did not change is checked once', async (t) => {
    const company = await registerCompany(platform());
    const { id } = await createService(platform(), company);
    const path = `/api/services/${id}/flows`;
    const call = async (method: string, at: string, body?: unknown) => {
      const answer = await platform().call(method, at, { token: company.token, ...(body ? { body } : {}) });
      assert.ok(answer.status < 300, answer.text.slice(0, 300));
      return answer.body;
    };
    // Each step of work in this thread would be a call of one of these.
    const here = (['read', 'unpack', 'take', 'check', 'manifest'] as const).map((work) =>
      t.mock.method(definitionWork, work),
    );
    const there = t.mock.method(Worker.prototype, 'postMessage');
    const steps = () => {
      const tasks = there.mock.calls.map(({ arguments: [task] }) => (task as { work?: string }).work);
      there.mock.resetCalls();
      return tasks.filter((work) => work !== undefined);
    };
    const definition = longWay(NODES);
    assert.ok(JSON.stringify(definition).length > 2_200_000);
    const flow = await call('POST', path, { definition });
    assert.deepEqual(steps(), ['read', 'take']);
    assert.ok(JSON.stringify(flow.definition) === JSON.stringify(definition));
    const { issues, warnings } = await call('POST', `${path}/${flow.id}/check`);
    assert.deepEqual([issues, warnings.length], [[], 200]);
    assert.deepEqual(steps(), ['check']);
    await call('POST', `${path}/${flow.id}/check`);
    assert.deepEqual(await call('POST', `${path}/${flow.id}/publish`, {}), { version: 1 });
    assert.deepEqual(steps(), []);
    await call('PUT', `${path}/${flow.id}`, { revision: 1, name: 'Another name' });
    await call('POST', `${path}/${flow.id}/check`);
    assert.deepEqual(steps(), ['take', 'check']);
    const headers = { authorization: `Bearer ${company.token}` };
    const packed = await fetch(`${platform().url}${path}/${flow.id}/package`, { headers });
    const zip = Buffer.from(await packed.arrayBuffer());
    assert.deepEqual(steps(), ['manifest']);
    const worksHere = () => here.map(({ mock }) => mock.callCount());
    // The body with the other name is short.
    assert.deepEqual(worksHere(), [1, 0, 0, 0, 0]);
    const again = await platform().must('POST', `${path}/import`, {
      token: company.token,
      headers: { 'content-type': 'application/zip' },
      body: zip,
    });
    assert.equal(again.name, 'Another name');
    assert.deepEqual(steps(), ['unpack', 'take']);
    assert.deepEqual(worksHere(), [1, 0, 0, 0, 0]);
    await call('POST', path, { definition: longWay(2) });
    assert.deepEqual([worksHere(), steps()], [[2, 0, 1, 0, 0], []]);
  });
});

onPlatform('large definitions that are refused', (platform) => {
  test('are refused in the words for small ones', async () => {
    const company = await registerCompany(platform());
    const { id } = await createService(platform(), company);
    const { token } = company;
    const path = `/api/services/${id}/flows`;
    const room = ' '.repeat(100_000);
    const refusal = async (method: string, at: string, json: string) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const answer = await fetch(`${platform().url}${at}`, { method, headers, body: json });
      return [answer.status, await answer.json()];
    };
    const deep = '['.repeat(10_000);
    const bodies = [
      '{"definition":{}',
      '{"definition":5}',
      '{"definition":[],"name":7,"more":{}}',
      `{${Array.from({ length: 40 }, (_, index) => `"m${index}":0`)}}`,
      '{"definition":{"__proto__":{}}}',
      '{"definition":{"name":"\\ud800"}}',
      '{"definition":{"name":"\\u0000"}}',
      `{"definition":{"x":${deep}}}`,
      '{"definition":{"nodes":7}}',
      '{}{}',
      '"text"',
    ];
    const draft = `${path}/${(await platform().must('POST', path, { token, body: {} })).id}`;
    for (const body of bodies)
      for (const [method, at] of [
        ['POST', path],
        ['PUT', draft],
        ['POST', '/api/services/none/flows'],
      ] as const) {
        const small = await refusal(method, at, body);
        assert.ok(Number(small[0]) >= 400, body);
        assert.deepEqual(await refusal(method, at, `${body}${room}`), small, `${method} ${at} ${body}`);
      }
  });
});

test('a thread that ends fails what it had in hand, and the next work begins another one', async (t) => {
  const work = new LargeDefinitions();
  const text = JSON.stringify(longWay(1_000));
  const taken = await work.do('take', { text });
  assert.deepEqual(taken, definitionWork.take({ text }));
  // It never gets there: a thread may be done before it is ended.
  const sent = t.mock.method(Worker.prototype, 'postMessage', () => undefined);
  const lost = work.do('take', { text });
  await Promise.all([assert.rejects(lost, /has ended/), work.stop()]);
  assert.equal(sent.mock.callCount(), 1);
  sent.mock.restore();
  assert.deepEqual(await work.do('take', { text }), taken);
  await assert.rejects(work.do('take', { text: `${text}}` }), SyntaxError);
  await work.stop();
});

test('work that waits for a caller who has gone is dropped', async () => {
  const work = new LargeDefinitions();
  const text = JSON.stringify(longWay(1_000));
  const response = Object.assign(new EventEmitter(), { closed: false, writableFinished: false });
  const request = new Deadline(new FakeTimers(), 60_000, response as unknown as ServerResponse);
  const first = work.do('take', { text });
  const left = request.bound(() => work.do('take', { text }));
  const last = work.do('take', { text });
  response.emit('close');
  await assert.rejects(left, { name: 'CallerGone' });
  assert.deepEqual(await last, await first);
  assert.equal(work.handedOver, 2);
  await work.stop();
});
