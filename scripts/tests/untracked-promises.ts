/**
 * Loaded into every test process before the test runner.
 *
 * Node's test runner follows every promise of the process from its making to its collection: to know which suite a test is declared in,
 * and which test an uncaught error comes from. A process that serves makes millions, and following them takes a tenth of its time. So
 * it ends once all tests are declared. An uncaught error still fails the process, and account.ts names the tests that were running.
 */
import asyncHooks, { type AsyncHook } from 'node:async_hooks';

const { createHook } = asyncHooks;
const hooksOfTheRunner = new Set<AsyncHook>();

asyncHooks.createHook = (callbacks) => {
  const hook = createHook(callbacks);
  if (new Error().stack?.includes('node:internal/test_runner/')) hooksOfTheRunner.add(hook);
  return hook;
};

/** Called when the first test begins. */
export function followNoPromises(): void {
  for (const hook of hooksOfTheRunner) hook.disable();
  hooksOfTheRunner.clear();
}
