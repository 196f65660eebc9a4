import type { AuditEntryView, LogEntry } from '@symbolon/protocol';
import { limits } from '@symbolon/protocol/constants';
import type { Key } from '../queries.ts';
import { portalCall } from './inner/api.ts';
import { portalKeys } from './keys.ts';
import type { LongList, SoFar } from './so-far.ts';

/** Between two looks at what is new, while the page follows. */
const LIVE_MS = 3_000;
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

/** What happened to a service, the latest first. @param isLive whether it is read again and again */
export const serviceLog = (serviceId: string, isLive: boolean): LongList<LogEntry> => ({
  ...logAt<LogEntry>(portalKeys.serviceLogs(serviceId), `/api/services/${serviceId}/logs`),
  ...(isLive && { everyMs: LIVE_MS }),
});

/** What of the audit log is shown. What is undefined says nothing. */
export interface AuditWanted {
  /** One of the things that were acted on. */
  readonly thing?: string | undefined;
  /** The last day, as `2026-11-30`. */
  readonly until?: string | undefined;
}

const whole: LongList<AuditEntryView> = logAt(portalKeys.auditLog, '/api/account/audit-log');
/** Pages that one call looks through, where few entries fit. */
const LOOKED_MOST = 5;

/** Who did what to the account, the latest first. A log in which few entries fit comes in parts. */
export function auditLog({ thing, until }: AuditWanted): LongList<AuditEntryView> {
  const last = until ? endOfDay(until) : '';
  const fits = ({ action }: AuditEntryView) => !thing || action.startsWith(`${thing}.`);
  return {
    ...whole,
    part: `${thing ?? ''} ${until ?? ''}`,
    page: async (before, most = PAGE) => {
      let next: string | null = before || last;
      const rows: AuditEntryView[] = [];
      for (let page = 0; page < LOOKED_MOST && next !== null && rows.length < most; page++) {
        const found: SoFar<AuditEntryView> = await whole.page(next, thing ? whole.atOnce : most);
        rows.push(...found.rows.filter(fits));
        next = found.next;
      }
      return { rows, next };
    },
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
