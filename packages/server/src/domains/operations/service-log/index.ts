import type { Core } from '../../domain.ts';
import type { Audit } from '../journal/index.ts';
import { ServiceLogs } from './logs.ts';
import { serviceLogTables } from './tables.ts';

export type { LoggedCount, ServiceLogs } from './logs.ts';
export type { ServiceLogRow } from './tables.ts';

export function createServiceLog(core: Core, needs: { audit: Audit }) {
  return { logs: new ServiceLogs({ ...core, ...needs }), domain: { tables: serviceLogTables } };
}
