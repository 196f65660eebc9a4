import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AuthenticationError } from '@symbolon/sdk/device';
import { PageSessions } from './own-session.ts';

const refused = (errorKey: string) => new AuthenticationError({ errorKey, message: 'Refused.', status: 401 });
const ENDED = refused('auth.expired');

function opened() {
  const sessions = new PageSessions();
  let ends = 0;
  sessions.whenEnded(() => ends++);
  sessions.become('one');
  return { sessions, ends: () => ends };
}

test('a refusal ends the session under which the call was sent, and no later one', () => {
  const { sessions, ends } = opened();
  const [early, late] = [sessions.watch(), sessions.watch()];
  early(refused('auth.credentials_invalid'));
  assert.equal(ends(), 0, 'a wrong password ends nothing');
  early(ENDED);
  assert.equal(ends(), 1);
  sessions.become('two');
  late(ENDED);
  assert.equal(ends(), 1, 'the call was sent before the sign-in');
  const present = sessions.watch();
  sessions.become('two');
  present(ENDED);
  assert.equal(ends(), 2, 'the same session goes on under the same token');
});

test('while a call replaces the session, refusals of others end nothing; its own does', async () => {
  const { sessions, ends } = opened();
  const before = sessions.watch();
  await sessions.replacing(async () => {
    before(ENDED);
    sessions.watch()(ENDED);
  });
  before(ENDED);
  assert.equal(ends(), 0);
  await assert.rejects(sessions.replacing(() => Promise.reject(ENDED)));
  assert.equal(ends(), 1);
});
