import type { AuditEntryView, LogEntry } from '@symbolon/protocol';
import { limits } from '@symbolon/protocol/constants';
import { type Key, keys } from '../queries.ts';
import { portalCall } from './inner/api.ts';
import type { LongList } from './so-far.ts';

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
  ...logAt<LogEntry>(keys.serviceLogs(serviceId), `/api/services/${serviceId}/logs`),
  ...(isLive && { everyMs: LIVE_MS }),
});

/** Who did what to the account, the latest first. */
export const auditLog: LongList<AuditEntryView> = logAt(keys.auditLog, '/api/account/audit-log');
