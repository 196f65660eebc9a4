import { AsyncLocalStorage } from 'node:async_hooks';
import type { TestPlatform } from './platform.ts';

const inCall = new AsyncLocalStorage<true>();
const enter = () => inCall.enterWith(true);

/** Whether this is the work of a call that came over HTTP, not what the platform does by itself meanwhile. */
export const isInCall = (): boolean => inCall.getStore() === true;

/** Lets `isInCall` know of the calls of a platform. @returns what ends that */
export function noteCalls({ app }: Pick<TestPlatform, 'app'>): () => void {
  app.server.prependListener('request', enter);
  return () => app.server.off('request', enter);
}
