import type { MessageThreadList } from '@symbolon/protocol';
import { useEffect, useSyncExternalStore } from 'react';
import { askedOf } from '../pages/documents/states.ts';
import type { Texts } from '../text/index.tsx';
import { call } from './api.ts';
import { openCards } from './approvals.ts';
import { useSession } from './session.ts';
import { useSignals } from './signals.ts';

/** One thing that waits for the person: what it says, and the page where it is answered. */
export type WaitingItem = {
  readonly to: string;
  readonly text: (texts: Pick<Texts, 't' | 'count'>) => string;
  /** How many it stands for. */
  readonly count: number;
};
type Kind = keyof typeof READERS;
/** What waits, by the kind of page that has it. */
export type Waiting = Readonly<Record<Kind, readonly WaitingItem[]>>;

const id = encodeURIComponent;

const READERS = {
  async approvals(): Promise<WaitingItem[]> {
    return (await openCards()).map(({ company, service }) => ({
      to: '/me/approvals',
      text: ({ t }) => t('waiting.approval', { company: company.display_name, service: service.name }),
      count: 1,
    }));
  },
  async messages(): Promise<WaitingItem[]> {
    const { threads } = await call<MessageThreadList>('GET', '/api/person/messages');
    return threads
      .filter(({ unread }) => unread > 0)
      .map(({ connection_id, company, unread }) => ({
        to: `/me/messages/${id(connection_id)}`,
        text: ({ count }) => count('waiting.message', unread, { company: company.display_name }),
        count: unread,
      }));
  },
  async documents(): Promise<WaitingItem[]> {
    const { listDocuments } = await import('./documents.ts');
    return (await listDocuments()).flatMap((document) => {
      const asked = askedOf(document);
      if (asked === undefined) return [];
      const values = { name: document.name, company: document.company.display_name };
      return [
        {
          to: `/me/documents/${id(document.id)}`,
          text: ({ t }) => t(`waiting.${asked}`, values),
          count: 1,
        },
      ];
    });
  },
  async requests(): Promise<WaitingItem[]> {
    const { openRequests } = await import('./requests.ts');
    return (await openRequests()).map(({ request_id, company }) => ({
      to: `/me/requests/${id(request_id)}`,
      text: ({ t }) => t('waiting.request', { company: company.display_name }),
      count: 1,
    }));
  },
  async flows(): Promise<WaitingItem[]> {
    const { listRuns, standingOf } = await import('./flows/runs.ts');
    return (await listRuns()).flatMap((run) => {
      if (standingOf(run, owner ?? '') !== 'yours') return [];
      const values = { company: run.company.display_name, name: run.flow_name };
      return [{ to: `/me/flows/${id(run.id)}`, text: ({ t }) => t('waiting.flow', values), count: 1 }];
    });
  },
  async connections(): Promise<WaitingItem[]> {
    const { openConsents } = await import('./connections.ts');
    return (await openConsents()).map(({ connection_id, company }) => ({
      to: `/me/connections/${id(connection_id)}`,
      text: ({ t }) => t('waiting.consent', { company: company.display_name }),
      count: 1,
    }));
  },
};
const KINDS = Object.keys(READERS) as Kind[];
const NOTHING = Object.fromEntries(KINDS.map((kind) => [kind, []])) as unknown as Waiting;

let found = NOTHING;
/** Whose they are. */
let owner: string | undefined;
let isReading = false;
let isOutdated = false;
const listeners = new Set<() => void>();

/** Reads again what waits, after something was answered or read here. */
export async function refreshWaiting(): Promise<void> {
  isOutdated = true;
  if (isReading) return;
  isReading = true;
  while (isOutdated) {
    isOutdated = false;
    const of = owner;
    // What cannot be read stays as it was: the page itself tells of the failure.
    const read = await Promise.all(
      KINDS.map(async (kind) => [kind, await READERS[kind]().catch(() => found[kind])]),
    );
    if (of === owner) become(Object.fromEntries(read));
  }
  isReading = false;
}

function become(next: Waiting): void {
  found = next;
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
    () => (owner === personId ? found : NOTHING),
  );
}

/** How many things wait at a page. */
export const countOf = (items: readonly WaitingItem[]): number =>
  items.reduce((sum, { count }) => sum + count, 0);
