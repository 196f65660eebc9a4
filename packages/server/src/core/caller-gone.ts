import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';

/** Nobody is there any more for whom the work would be done. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';

  constructor() {
    super('The caller has closed the connection.');
  }
}

const responses = new AsyncLocalStorage<ServerResponse>();
const signals = new WeakMap<ServerResponse, AbortSignal>();

/** Handles a request: whatever waits on the way can ask for `callerSignal`. */
export const whileAnswering = <T>(response: ServerResponse, handle: () => T): T =>
  responses.run(response, handle);

/**
 * Aborts when the caller of the request that is handled closes the connection before it is answered; undefined outside of
 * requests. What still waits in a queue is dropped then; what was begun is finished.
 */
export function callerSignal(): AbortSignal | undefined {
  const response = responses.getStore();
  if (response === undefined) return undefined;
  const known = signals.get(response);
  if (known !== undefined) return known;
  const gone = new AbortController();
  signals.set(response, gone.signal);
  const close = () => {
    if (!response.writableFinished) gone.abort(new CallerGone());
  };
  if (response.closed) close();
  else response.once('close', close);
  return gone.signal;
}

/**
 * Puts work into a queue, and takes it out again when its caller goes.
 * @param enter puts it in: `begin` is called when its turn has come. @returns how it is taken out
 */
export function waitInLine(
  enter: (begin: () => void) => () => void,
  signal: AbortSignal | undefined = callerSignal(),
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const leave = enter(() => {
      signal?.removeEventListener('abort', gone);
      resolve();
    });
    const gone = () => {
      leave();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', gone, { once: true });
  });
}
