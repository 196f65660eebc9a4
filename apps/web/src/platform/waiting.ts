import { useQueries } from '@tanstack/react-query';
import type { InsideTexts } from '../text/inside/index.tsx';
import { openCards } from './approvals.ts';
import { askedOf } from './document-states.ts';
import { keptProgress } from './flows/progress.ts';
import { standingOf } from './flows/run-list.ts';
import { answers, type Key, keys, optionsOf, outdate, type Query } from './queries.ts';
import { useSession } from './session.ts';
import { useOutdating } from './signals.ts';

/** One thing that waits for the person: what it says, and the page where it is answered. */
export type WaitingItem = {
  readonly to: string;
  readonly text: (texts: Pick<InsideTexts, 't' | 'count'>) => string;
  /** How far the person is with it. */
  readonly detail?: (texts: Pick<InsideTexts, 't'>) => string;
  /** How many it stands for. */
  readonly count: number;
  /** When it is too late. */
  readonly until?: string;
};
type Kind = keyof typeof READERS;
/** What waits, by the kind of page that has it. */
export type Waiting = Readonly<Record<Kind, readonly WaitingItem[]>>;

interface Reader<T> {
  readonly key: Key;
  readonly query: () => Promise<Query<T>>;
  readonly items: (found: T, personId: string) => readonly WaitingItem[];
}
const reader = <T>(key: Key, query: Reader<T>['query'], items: Reader<T>['items']): Reader<T> => ({
  key,
  query,
  items,
});

const id = encodeURIComponent;

/** What has a means of its own is loaded when it is read. */
const READERS = {
  approvals: reader(
    keys.approvals,
    async () => openCards,
    (cards) =>
      cards.map(({ company, service, expires_at: until }) => ({
        to: '/me/approvals',
        text: ({ t }) => t('waiting.approval', { company: company.display_name, service: service.name }),
        count: 1,
        until,
      })),
  ),
  messages: reader(
    keys.threads,
    async () => (await import('./thread-list.ts')).threads,
    (threads) =>
      threads
        .filter(({ unread }) => unread > 0)
        .map(({ connection_id, company, unread }) => ({
          to: `/me/messages/${id(connection_id)}`,
          text: ({ count }) => count('waiting.message', unread, { company: company.display_name }),
          count: unread,
        })),
  ),
  documents: reader(
    keys.documents,
    async () => (await import('./document-list.ts')).documentsQuery,
    (documents) =>
      documents.flatMap((document) => {
        const asked = askedOf(document);
        if (asked === undefined) return [];
        const values = { name: document.name, company: document.company.display_name };
        const to = `/me/documents/${id(document.id)}`;
        return [{ to, text: ({ t }) => t(`waiting.${asked}`, values), count: 1 }];
      }),
  ),
  requests: reader(
    keys.requests,
    async () => (await import('./requests.ts')).openRequests,
    (requests) =>
      requests.map(({ request_id, company }) => ({
        to: `/me/requests/${id(request_id)}`,
        text: ({ t }) => t('waiting.request', { company: company.display_name }),
        count: 1,
      })),
  ),
  flows: reader(
    keys.runs,
    async () => (await import('./flows/run-list.ts')).runsQuery,
    (runs, personId) =>
      runs.flatMap((run) => {
        if (standingOf(run, personId) !== 'yours') return [];
        const values = { company: run.company.display_name, name: run.flow_name };
        const { step, about = 1 } = keptProgress(run) ?? {};
        return [
          {
            to: `/me/flows/${id(run.id)}`,
            text: ({ t }) => t('waiting.flow', values),
            ...(step !== undefined &&
              about > 1 && {
                detail: ({ t }: Pick<InsideTexts, 't'>) => t('flows.progress', { step, about }),
              }),
            count: 1,
          },
        ];
      }),
  ),
  connections: reader(
    keys.consents,
    async () => (await import('./connections.ts')).openConsents,
    (consents) =>
      consents.map(({ connection_id, company }) => ({
        to: `/me/connections/${id(connection_id)}`,
        text: ({ t }) => t('waiting.consent', { company: company.display_name }),
        count: 1,
      })),
  ),
};
const KINDS = Object.entries(READERS) as [Kind, Reader<unknown>][];

/** Reads again what waits, after something was answered or read here. */
export const refreshWaiting = (): Promise<void> => outdate(...KINDS.map(([, { key }]) => key));

/** What waits for the person who is signed in, and stays right. What cannot be read stays as it was: its own page tells of the failure. */
export function useWaiting(): Waiting {
  const session = useSession();
  const personId = session.state === 'in' ? session.person.person_user_id : undefined;
  useOutdating();
  const found = useQueries(
    {
      queries: KINDS.map(([, { key, query }]) => ({
        ...optionsOf({ key, read: async () => (await query()).read(undefined) }),
        enabled: personId !== undefined,
      })),
    },
    answers,
  );
  const itemsOf = ({ items }: Reader<unknown>, data: unknown) =>
    data === undefined || personId === undefined ? [] : items(data, personId);
  return Object.fromEntries(
    KINDS.map(([kind, each], index) => [kind, itemsOf(each, found[index]?.data)]),
  ) as Record<Kind, readonly WaitingItem[]>;
}

/** How many things wait at a page. */
export const countOf = (items: readonly WaitingItem[]): number =>
  items.reduce((sum, { count }) => sum + count, 0);

/** Everything that waits, what cannot wait first. */
export const allWaiting = (waiting: Waiting): readonly (WaitingItem & { kind: Kind })[] =>
  KINDS.flatMap(([kind]) => waiting[kind].map((item) => ({ ...item, kind })));
