import type { TestContext } from 'node:test';
import type { TestPlatform } from './platform.ts';

/**
 * Does something just before the next transaction of a platform begins: what a call read before it is no longer true, as when
 * another call is faster.
 */
export function beforeNextWrite(
  t: TestContext,
  { context: { database } }: Pick<TestPlatform, 'context'>,
  act: () => Promise<unknown>,
): void {
  const write = database.write.bind(database);
  const { mock } = t.mock.method(database, 'write', (async (work) => {
    mock.restore();
    await act();
    return write(work);
  }) as typeof write);
}
