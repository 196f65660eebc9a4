import { currentSession } from '../session.ts';
import { antiForgeryOf, watchedCall } from './api.ts';
import type { Bearer, FileActs } from './files.worker.ts';
import { actsOf } from './worker-acts.ts';

/** Does something with a file beside the page. @throws SymbolonError with the key of the failure */
export const onFiles = actsOf<FileActs>(
  () => new Worker(new URL('./files.worker.ts', import.meta.url), { type: 'module' }),
  watchedCall,
);

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
  };
}
