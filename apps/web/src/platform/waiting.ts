import type { MessageThreadList, PersonConnectRequestList } from '@symbolon/protocol';
import { useEffect, useSyncExternalStore } from 'react';
import { askedOf } from '../pages/documents/states.ts';
import { call } from './api.ts';
import { openCards } from './approvals.ts';
import { useSession } from './session.ts';
import { useSignals } from './signals.ts';

/** How many things wait for the person, by the kind of page that has them. */
export type Waiting = Readonly<Record<keyof typeof COUNTS, number>>;

const COUNTS = {
  approvals: async () => (await openCards()).length,
  messages: async () => {
    const { threads } = await call<MessageThreadList>('GET', '/api/person/messages');
    return threads.reduce((sum, { unread }) => sum + unread, 0);
  },
  documents: async () => {
    const { listDocuments } = await import('./documents.ts');
    return (await listDocuments()).filter((document) => askedOf(document) !== undefined).length;
  },
  requests: async () =>
    (await call<PersonConnectRequestList>('GET', '/api/person/connect-requests')).connect_requests.length,
};
const NAMES = Object.keys(COUNTS) as (keyof Waiting)[];
const NOTHING = Object.fromEntries(NAMES.map((name) => [name, 0])) as Waiting;

let counted = NOTHING;
/** Whose they are. */
let owner: string | undefined;
let isCounting = false;
let isOutdated = false;
const listeners = new Set<() => void>();

/** Counts anew, after something was answered or read here. */
export async function refreshWaiting(): Promise<void> {
  isOutdated = true;
  if (isCounting) return;
  isCounting = true;
  while (isOutdated) {
    isOutdated = false;
    const of = owner;
    // A count that cannot be read keeps its last value: the page itself tells of the failure.
    const counts = await Promise.all(
      NAMES.map(async (name) => [name, await COUNTS[name]().catch(() => counted[name])]),
    );
    if (of === owner) become(Object.fromEntries(counts));
  }
  isCounting = false;
}

function become(next: Waiting): void {
  counted = next;
  for (const listener of listeners) listener();
}

/** What waits for the person who is signed in, and stays right. */
export function useWaiting(): Waiting {
  const session = useSession();
  const personId = session.state === 'in' ? session.person.person_user_id : undefined;
  useEffect(() => {
    if (owner !== personId) {
      owner = personId;
      become(NOTHING);
    }
    refreshWaiting();
  }, [personId]);
  useSignals(refreshWaiting);
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => (owner === personId ? counted : NOTHING),
  );
}
