import type { Core } from '../../domain.ts';
import type { RecoveryCopies } from '../../identity/recovery/recovery.ts';
import type { ServiceLogs } from '../../operations/service-log/logs.ts';
import { Clients } from './clients.ts';
import { clientTables } from './tables.ts';

export function createDataClients(core: Core, needs: { logs: ServiceLogs; recovery: RecoveryCopies }) {
  return { clients: new Clients({ ...core, ...needs }), domain: { tables: clientTables } };
}
