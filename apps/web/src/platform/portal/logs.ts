import type { LogEntry } from '@symbolon/protocol';
import { keys, type Query } from '../queries.ts';
import { portalCall } from './inner/api.ts';

/** Between two looks at what is new, while the page follows. */
const LIVE_MS = 3_000;
/** Entries on one page. */
export const LOGS_PAGE = 50;

/** What happened to a service, the latest first. @param page from 0 @param isLive whether it is read again and again */
export const logsQuery = (
  serviceId: string,
  page: number,
  isLive: boolean,
): Query<{ total: number; items: LogEntry[] }> => ({
  ...(isLive && { everyMs: LIVE_MS }),
  key: keys.serviceLogs(serviceId),
  part: page,
  read: () =>
    portalCall('GET', `/api/services/${serviceId}/logs?limit=${LOGS_PAGE}&offset=${page * LOGS_PAGE}`),
});
