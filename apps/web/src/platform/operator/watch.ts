import type {
  AdminJobList,
  AdminMessage,
  AdminMessageTry,
  AdminReadiness,
  AdminRegion,
  MailTestResult,
  OperatorAct,
  Statistics,
} from '@symbolon/protocol';
import { useEffect, useRef } from 'react';
import type { Query } from '../queries.ts';
import { operatorCall } from './inner/api.ts';
import { operatorKeys } from './keys.ts';

/** Whether the process that answers can do its work. */
export const readinessQuery: Query<AdminReadiness> = {
  key: operatorKeys.adminReadiness,
  read: () => operatorCall('GET', '/readiness'),
};
/** How much there is, and what waits. */
export const statisticsQuery: Query<Statistics> = {
  key: operatorKeys.adminStatistics,
  read: () => operatorCall('GET', '/statistics'),
};
export const jobsQuery: Query<AdminJobList> = {
  key: operatorKeys.adminJobs,
  read: () => operatorCall('GET', '/jobs'),
};
export const regionsQuery: Query<readonly AdminRegion[]> = {
  key: operatorKeys.adminRegions,
  read: async () => (await operatorCall<{ regions: AdminRegion[] }>('GET', '/regions')).regions,
};

/** The first message of each lane that waits for another region. */
export const messagesQuery: Query<readonly AdminMessage[]> = {
  key: operatorKeys.adminMessages,
  read: async () => (await operatorCall<{ items: AdminMessage[] }>('GET', '/messages')).items,
};
export const tryMessage = (seq: number): Promise<AdminMessageTry> =>
  operatorCall('POST', `/messages/${seq}/try`);
export const skipMessage = (seq: number): Promise<void> => operatorCall('POST', `/messages/${seq}/skip`);

/** Acts on one page of the record. */
export const ACTS_PAGE = 50;
export interface ActsPage {
  readonly total: number;
  readonly items: readonly OperatorAct[];
}
/** What operators did, the newest first. @param page from 0 */
export const actsQuery = (page: number): Query<ActsPage> => ({
  key: operatorKeys.adminActs,
  part: page,
  read: () => operatorCall('GET', `/acts?limit=${ACTS_PAGE}&offset=${page * ACTS_PAGE}`),
});

export const purgeNow = (): Promise<{ change_rows: number }> => operatorCall('POST', '/purge');
export const testMail = (to: string): Promise<MailTestResult> => operatorCall('POST', '/mail-test', { to });

/** Looks again and again while the page is seen. */
export function useLooking(look: () => unknown, everyMs: number): void {
  const latest = useRef(look);
  latest.current = look;
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && latest.current(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
}
