import { SymbolonError } from '@symbolon/sdk/device';
import type { Acts, Reply } from './device.worker.ts';

export type { DeviceKeys } from './device.worker.ts';

let worker: Worker | undefined;
let last = 0;
const waiting = new Map<number, { resolve: (value: never) => void; reject: (reason: unknown) => void }>();

/**
 * Does something with keys beside the page.
 *
 * @throws SymbolonError with the key of the failure, as `sdk.password_weak` or `crypto.passphrase_wrong`
 */
export function onDevice<Name extends keyof Acts>(
  act: Name,
  input: Parameters<Acts[Name]>[0],
): Promise<Awaited<ReturnType<Acts[Name]>>> {
  worker ??= start();
  const id = ++last;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    worker?.postMessage({ id, act, input });
  });
}

function start(): Worker {
  const started = new Worker(new URL('./device.worker.ts', import.meta.url), { type: 'module' });
  started.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if ('result' in data) asked?.resolve(data.result as never);
    else asked?.reject(new SymbolonError(data.refusal));
  });
  // The script could not be loaded: the next act tries again.
  started.addEventListener('error', () => {
    worker = undefined;
    for (const [id, { reject }] of waiting) {
      waiting.delete(id);
      reject(
        new SymbolonError({ errorKey: 'page.worker', message: 'A part of the page could not be loaded.' }),
      );
    }
  });
  return started;
}
