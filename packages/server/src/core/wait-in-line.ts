import { callerSignal } from './deadline.ts';

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
