import type { LogEntry } from '@symbolon/protocol';
import { keys, type Query } from '../queries.ts';
import { portalCall } from './inner/api.ts';

/** Entries on one page. */
export const LOGS_PAGE = 50;

/** What happened to a service, the latest first. @param page from 0 */
export const logsQuery = (serviceId: string, page: number): Query<{ total: number; items: LogEntry[] }> => ({
  key: keys.serviceLogs(serviceId),
  part: page,
  read: () =>
    portalCall('GET', `/api/services/${serviceId}/logs?limit=${LOGS_PAGE}&offset=${page * LOGS_PAGE}`),
});
