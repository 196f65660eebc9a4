import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, type Call, jsonOf, NotFoundError, TransportError } from '@symbolon/sdk/device';
import { together } from './together.ts';

const get = (name: string): Call => ({ method: 'GET', path: `/api/person/${name}` });

/** A platform that answers each list with its own address, and those that are read together as they are given. */
function platform(joint: (names: string[]) => object | Error) {
  const sent: string[] = [];
  const by = {
    async send(_base: string, { path, query }: Call): Promise<Answer> {
      sent.push(
        query === undefined ? path : `${path}?${new URLSearchParams(query as Record<string, string>)}`,
      );
      const answer = path === '/api/person/reads' ? joint(String(query?.of).split(',')) : { path };
      if (answer instanceof Error) throw answer;
      return { status: 200, headers: new Headers(), bytes: new TextEncoder().encode(JSON.stringify(answer)) };
    },
  };
  const joined = together(by);
  return { sent, read: async (call: Call) => jsonOf(await joined.send('', call)) };
}
const answered = (names: string[]) => ({
  answers: Object.fromEntries(names.map((name) => [name, { joint: name }])),
});

test('what is read at the same moment goes in one call, and each gets its own answer', async () => {
  const { sent, read } = platform(answered);
  const found = await Promise.all(['messages', 'documents', 'messages'].map((name) => read(get(name))));
  assert.deepEqual(found, [{ joint: 'messages' }, { joint: 'documents' }, { joint: 'messages' }]);
  assert.deepEqual(sent, ['/api/person/reads?of=messages%2Cdocuments']);
});

test('one list, other addresses and acts go alone', async () => {
  const { sent, read } = platform(answered);
  await Promise.all([
    read(get('messages')),
    read(get('session')),
    read({ ...get('documents'), method: 'POST' }),
    read({ ...get('connections'), signal: new AbortController().signal }),
  ]);
  assert.deepEqual(sent.sort(), [
    '/api/person/connections',
    '/api/person/documents',
    '/api/person/messages',
    '/api/person/session',
  ]);
});

test('what is missing is read alone, at once and later', async () => {
  const { sent, read } = platform((names) => answered(names.filter((name) => name !== 'documents')));
  const all = () => Promise.all(['messages', 'documents', 'totp'].map((name) => read(get(name))));
  const expected = [{ joint: 'messages' }, { path: '/api/person/documents' }, { joint: 'totp' }];
  assert.deepEqual([await all(), await all()], [expected, expected]);
  assert.deepEqual(sent, [
    '/api/person/reads?of=messages%2Cdocuments%2Ctotp',
    '/api/person/documents',
    '/api/person/documents',
    '/api/person/reads?of=messages%2Ctotp',
  ]);
});

test('of a call that is refused each is read alone; without a network none is', async () => {
  const refused = platform(
    () => new NotFoundError({ errorKey: 'request.not_found', message: '', status: 404 }),
  );
  assert.deepEqual(await Promise.all(['messages', 'totp'].map((name) => refused.read(get(name)))), [
    { path: '/api/person/messages' },
    { path: '/api/person/totp' },
  ]);
  const away = platform(() => new TransportError({ errorKey: 'sdk.transport', message: '' }));
  const found = await Promise.allSettled(['messages', 'totp'].map((name) => away.read(get(name))));
  assert.deepEqual([found.map(({ status }) => status), away.sent.length], [['rejected', 'rejected'], 1]);
});
