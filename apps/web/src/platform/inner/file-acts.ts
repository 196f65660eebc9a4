import { SymbolonError } from '@symbolon/sdk/device';
import { currentSession } from '../session.ts';
import { antiForgeryOf, watchedCall } from './api.ts';
import type { Bearer, FileActs } from './files.worker.ts';
import { opensOffline } from './kept-answers.ts';
import { actsOf } from './worker-acts.ts';

const open = () => new Worker(new URL('./files.worker.ts', import.meta.url), { type: 'module' });

/** Does something with a file beside the page. @throws SymbolonError with the key of the failure */
export const onFiles = actsOf<FileActs>(open, watchedCall);

/**
 * Does one act in a worker that ends with it, so that a file that is made to take for ever stops nothing else.
 * @throws SymbolonError with the key of the failure; `page.too_long` after so many milliseconds
 */
export async function onFilesAlone<Name extends keyof FileActs & string>(
  act: Name,
  input: Parameters<FileActs[Name]>[0],
  mostMs: number,
): Promise<Awaited<ReturnType<FileActs[Name]>>> {
  let worker: Worker | undefined;
  const alone = actsOf<FileActs>(() => {
    worker = open();
    return worker;
  });
  const late = Promise.withResolvers<never>();
  const message = 'Looking at the file took too long.';
  const timer = setTimeout(
    () => late.reject(new SymbolonError({ errorKey: 'page.too_long', message })),
    mostMs,
  );
  try {
    return await Promise.race([alone(act, input), late.promise]);
  } finally {
    clearTimeout(timer);
    worker?.terminate();
  }
}

/** The person in whose name the worker asks. */
export function bearer(): Bearer {
  const session = currentSession();
  if (session.state !== 'in') throw new Error('There is no session.');
  const { person, keys } = session;
  return {
    personId: person.person_user_id,
    publicKey: person.public_key,
    key: keys?.key,
    antiForgery: antiForgeryOf(),
    keeps: opensOffline(),
  };
}
