import type { AuditEntryView, LogEntry, LogTypeName, RecentEvent, RecentEvents } from '@symbolon/protocol';
import { limits } from '@symbolon/protocol/constants';
import type { Key, Query } from '../queries.ts';
import { portalCall } from './inner/api.ts';
import { portalKeys } from './keys.ts';
import type { LongList, SoFar } from './so-far.ts';

/** Between two looks at what is new, while the page follows. */
export const LIVE_MS = 3_000;
/** Entries of one page. */
const PAGE = 50;

function logAt<Entry extends { readonly id: string }>(key: Key, path: string): LongList<Entry> {
  return {
    key,
    idOf: ({ id }) => id,
    page: async (before, most = PAGE) => {
      const query = new URLSearchParams({ limit: String(most), before });
      const { items } = await portalCall<{ items: Entry[] }>('GET', `${path}?${query}`);
      return { rows: items, next: items.length < most ? null : (items.at(-1)?.id ?? null) };
    },
    atOnce: limits.pageMost,
  };
}

/** Pages that one call looks through, where few entries fit. */
const LOOKED_MOST = 5;

/** Reads the entries of a log that fit. A log in which few do comes in parts. */
const only =
  <Entry>(log: LongList<Entry>, fits: (entry: Entry) => boolean): LongList<Entry>['page'] =>
  async (before, most = PAGE) => {
    let next: string | null = before;
    const rows: Entry[] = [];
    for (let page = 0; page < LOOKED_MOST && next !== null && rows.length < most; page++) {
      const found: SoFar<Entry> = await log.page(next, log.atOnce);
      rows.push(...found.rows.filter(fits));
      next = found.next;
    }
    return { rows, next };
  };

/** What happened to a service, the latest first. @param isLive whether it is read again and again */
export function serviceLog(
  serviceId: string,
  { isLive, type }: { isLive: boolean; type: LogTypeName | undefined },
): LongList<LogEntry> {
  const log = logAt<LogEntry>(portalKeys.serviceLogs(serviceId), `/api/services/${serviceId}/logs`);
  return {
    ...log,
    ...(isLive && { everyMs: LIVE_MS }),
    ...(type && { part: type, page: only(log, (entry) => entry.type === type) }),
  };
}

/** What of the events is shown. What is empty or undefined says nothing. */
export interface EventsWanted {
  /** The name of an event. */
  readonly event?: string | undefined;
  /** The share code of a customer, or how it begins. */
  readonly code?: string | undefined;
}

/** What was raised about a service while somebody looked, the latest first. It is read again and again. */
export function recentEvents(serviceId: string, { event, code }: EventsWanted): LongList<RecentEvent> {
  const events = logAt<RecentEvent>(portalKeys.recentEvents(serviceId), `/api/services/${serviceId}/events`);
  const wanted = code?.trim().toUpperCase();
  const fits = (each: RecentEvent) =>
    (!event || each.event === event) && (!wanted || each.share_code?.startsWith(wanted) === true);
  return {
    ...events,
    everyMs: LIVE_MS,
    ...((event || wanted) && { part: `${event ?? ''} ${wanted ?? ''}`, page: only(events, fits) }),
  };
}

/** How many events of a service were noted since yesterday. To ask begins to note them. */
export const raisedQuery = (serviceId: string): Query<number> => ({
  key: portalKeys.recentEvents(serviceId),
  part: 'total',
  read: async () =>
    (await portalCall<RecentEvents>('GET', `/api/services/${serviceId}/events?limit=1`)).total,
});

/** What of the audit log is shown. What is undefined says nothing. */
export interface AuditWanted {
  /** One of the things that were acted on. */
  readonly thing?: string | undefined;
  /** The last day, as `2026-11-30`. */
  readonly until?: string | undefined;
}

const whole: LongList<AuditEntryView> = logAt(portalKeys.auditLog, '/api/account/audit-log');

/** Who did what to the account, the latest first. */
export function auditLog({ thing, until }: AuditWanted): LongList<AuditEntryView> {
  const last = until ? endOfDay(until) : '';
  const page = thing ? only(whole, ({ action }) => action.startsWith(`${thing}.`)) : whole.page;
  return {
    ...whole,
    part: `${thing ?? ''} ${until ?? ''}`,
    page: (before, most) => page(before || last, most),
  };
}

/** Before which id the entries of a day stand: ids begin with the time at which they were made, in milliseconds. */
function endOfDay(day: string): string {
  const end = new Date(`${day}T00:00`);
  end.setDate(end.getDate() + 1);
  if (Number.isNaN(end.getTime())) return '';
  const hex = end.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
