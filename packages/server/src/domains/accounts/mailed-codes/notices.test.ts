import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeTimers } from '@symbolon/testkit/platform/fake-timers';
import { keptLog } from '@symbolon/testkit/platform/kept-log';
import { systemClock } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { Notices } from './notices.ts';

test('a mail that is still waiting when the process ends is logged as that', async () => {
  const { log, lines } = keptLog();
  const tried = Promise.withResolvers<void>();
  const mail = {
    refuseWhenAway() {},
    stop() {},
    tryOut: () => assert.fail('Nothing is tried out.'),
    async send() {
      tried.resolve();
      throw new PlatformError('mail.unavailable');
    },
  };
  const notices = new Notices({ clock: systemClock, log, mail, timers: new FakeTimers() });
  notices.later(async () => ({ to: 'ada@example.com', subject: 'Code', text: '123456' }));
  await tried.promise;
  await notices.stop();
  assert.deepEqual(
    lines.map(({ msg }) => msg),
    ['a mail about an account was given up: the process ends while mail is unavailable'],
  );
});
