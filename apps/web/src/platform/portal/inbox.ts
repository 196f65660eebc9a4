import type {
  AssignThreadRequest,
  Inbox,
  InboxState,
  InboxThread,
  Service,
  ThreadStateRequest,
} from '@symbolon/protocol';
import { SymbolonError } from '@symbolon/sdk/device';
import { outdate, type Query } from '../queries.ts';
import { portalCall } from './inner/api.ts';
import { portalKeys } from './keys.ts';

/** The open threads that the login looks after, all that are open, or those that are done. */
export const INBOX_VIEWS = ['mine', 'open', 'done'] as const;
export type InboxView = (typeof INBOX_VIEWS)[number];

/** Rows of one page. */
const PAGE = 50;
/** While it is shown, it is looked at so often: no signal tells of messages. */
const WATCH_MS = 10_000;

/** A page of the inbox of a service. @param before where it begins; empty: with the newest */
export const inboxQuery = (
  serviceId: string,
  { view, before }: { view: InboxView; before: string },
): Query<Inbox> => ({
  key: portalKeys.inbox(serviceId),
  part: JSON.stringify([view, before]),
  read: () => {
    const query = new URLSearchParams({
      limit: String(PAGE),
      state: view === 'done' ? 'done' : 'open',
      ...(view === 'mine' && { assigned_to: 'me' }),
      ...(before !== '' && { before }),
    });
    return portalCall('GET', `/api/services/${serviceId}/threads?${query}`);
  },
  everyMs: WATCH_MS,
});

/** A thread with the service to which it belongs. */
export interface ThreadOf {
  readonly thread: InboxThread;
  readonly service: Pick<Service, 'id' | 'name'>;
}
export interface WholeInbox extends Pick<Inbox, 'mine' | 'open'> {
  readonly threads: readonly ThreadOf[];
  /** Whether some service has more than is shown. */
  readonly hasMore: boolean;
}
/** Services whose inboxes are read together. */
export const INBOXES_MOST = 20;

/** The newest threads of many services, in one list. */
export const wholeInboxQuery = (found: readonly Service[], view: InboxView): Query<WholeInbox> => ({
  key: portalKeys.wholeInbox(...found.map(({ id }) => id)),
  part: view,
  async read() {
    const inboxes = await Promise.all(
      found.slice(0, INBOXES_MOST).map(async (service) => ({
        service,
        inbox: await inboxQuery(service.id, { view, before: '' }).read(undefined),
      })),
    );
    const sum = (name: 'mine' | 'open') => inboxes.reduce((total, { inbox }) => total + inbox[name], 0);
    return {
      ...{ mine: sum('mine'), open: sum('open') },
      threads: inboxes
        .flatMap(({ service, inbox }) => inbox.threads.map((thread) => ({ thread, service })))
        .sort((one, other) => other.thread.last_at.localeCompare(one.thread.last_at)),
      hasMore: found.length > INBOXES_MOST || inboxes.some(({ inbox }) => inbox.next !== null),
    };
  },
  everyMs: WATCH_MS,
});

/** How one thread stands; null while nothing was written in it. */
export const threadQuery = (serviceId: string, connectionId: string): Query<InboxThread | null> => ({
  key: portalKeys.inboxThread(serviceId, connectionId),
  read: () =>
    portalCall<InboxThread>('GET', at(serviceId, connectionId)).catch((error: unknown) => {
      if (error instanceof SymbolonError && error.errorKey === 'messages.thread_empty') return null;
      throw error;
    }),
  everyMs: WATCH_MS,
});

/** Has a login look after a thread; null for none. */
export function assignThread(serviceId: string, connectionId: string, login: string | null): Promise<void> {
  const json: AssignThreadRequest = { assigned_to: login };
  return change(serviceId, connectionId, 'assignee', json);
}

/** Says that a thread is done, or open again. */
export function setThreadState(serviceId: string, connectionId: string, state: InboxState): Promise<void> {
  const json: ThreadStateRequest = { state };
  return change(serviceId, connectionId, 'state', json);
}

async function change(serviceId: string, connectionId: string, what: string, json: object): Promise<void> {
  await portalCall<InboxThread>('PUT', `${at(serviceId, connectionId)}/${what}`, json);
  await outdate(
    portalKeys.inbox(serviceId),
    portalKeys.wholeInbox(),
    portalKeys.inboxThread(serviceId, connectionId),
  );
}

const at = (serviceId: string, connectionId: string) =>
  `/api/services/${serviceId}/customers/${connectionId}/thread`;
