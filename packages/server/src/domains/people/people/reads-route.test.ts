import assert from 'node:assert/strict';
import { test } from 'node:test';
import { personReads } from '@symbolon/protocol';
import { createService, registerCompany, registerPerson } from '@symbolon/testkit/actors/actors';
import { connectedPerson } from '@symbolon/testkit/actors/scenes';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { FakeTimers } from '@symbolon/testkit/platform/fake-timers';
import { onEachEngine } from '@symbolon/testkit/platform/platform';
import { withRegions } from '@symbolon/testkit/platform/regions';
import { fastify } from 'fastify';
import type { App } from '../../../http/app.ts';
import { readsRoute } from './reads-route.ts';

const READS = '/api/person/reads';
const of = (...names: string[]) => `${READS}?of=${encodeURIComponent(names.join(','))}`;

onEachEngine('lists of a person in one call', (platform) => {
  test('each is as its own address answers it', async () => {
    const service = await createService(platform(), await registerCompany(platform()));
    const { token } = (await connectedPerson(platform(), service)).person;
    const { answers } = await platform().must('GET', of(...personReads), { token });
    proves('route:GET /api/person/reads');
    assert.equal(answers.connections.connections.length, 1);
    for (const name of personReads)
      assert.deepEqual(answers[name], await platform().must('GET', `/api/person/${name}`, { token }), name);
    assert.deepEqual(Object.keys(answers).sort(), [...personReads].sort());
  });

  test('nothing else is read, and nobody else reads', async () => {
    const { token } = await registerPerson(platform());
    for (const path of [READS, of(''), of('messages', 'fields'), of('../company'), of('messages?limit=1')]) {
      const refused = await platform().call('GET', path, { token });
      assert.deepEqual([refused.status, refused.body.error_key], [400, 'request.invalid'], path);
    }
    assert.equal((await platform().call('GET', of('messages'))).status, 401);
    const { answers } = await platform().must('GET', of('messages', 'messages'), { token });
    assert.deepEqual(answers, { messages: { threads: [] } });
  });
});

withRegions('lists of a person in one call, with several regions', ['eu', 'us'], (regions) => {
  test('each has the parts of all regions, at the front door too', async () => {
    const us = regions().region('us');
    const service = await createService(us, await registerCompany(us));
    await regions().settle();
    const { token } = (await connectedPerson(regions().region('eu'), service)).person;
    const names = ['connections', 'messages', 'two-factor/challenges'];
    const { answers } = await regions()
      .region('eu')
      .must('GET', of(...names), { token });
    assert.equal(answers.connections.connections.length, 1);
    const passed = await fetch(`${regions().url}${of(...names)}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    assert.deepEqual(await passed.json(), { answers });
  });
});

test('what is refused, large or slow is missing, and keeps nothing else waiting', async () => {
  const app = fastify();
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  const timers = new FakeTimers();
  const slow = Promise.withResolvers<object>();
  readsRoute(app as unknown as App, { timers });
  app.get('/api/person/messages', ({ headers, ip }) => ({ of: headers.authorization, ip }));
  app.get('/api/person/totp', (_request, reply) => reply.code(403).send({}));
  app.get('/api/person/documents', () => ({ text: 'x'.repeat(256 * 1024) }));
  app.get('/api/person/consents', () => {
    setImmediate(() => timers.advance(3_000));
    return slow.promise;
  });
  const answer = await app.inject({
    url: of('messages', 'totp', 'documents', 'consents'),
    headers: { authorization: 'Bearer mine' },
    remoteAddress: '192.0.2.7',
  });
  slow.resolve({});
  assert.deepEqual(answer.json(), { answers: { messages: { of: 'Bearer mine', ip: '192.0.2.7' } } });
  assert.equal(timers.size, 0);
  await app.close();
});
