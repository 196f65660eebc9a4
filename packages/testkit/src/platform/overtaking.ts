import type { TestContext } from 'node:test';
import { isInCall, noteCalls } from './in-call.ts';
import type { TestPlatform } from './platform.ts';

/**
 * Does something just before the next transaction of a call begins: what the call read before it is no longer true, as when
 * another call is faster.
 */
export function beforeNextWrite(t: TestContext, platform: TestPlatform, act: () => Promise<unknown>): void {
  const { database } = platform.context;
  const write = database.write.bind(database);
  const forget = noteCalls(platform);
  const { mock } = t.mock.method(database, 'write', (async (work) => {
    if (!isInCall()) return write(work);
    mock.restore();
    forget();
    await act();
    return write(work);
  }) as typeof write);
}
