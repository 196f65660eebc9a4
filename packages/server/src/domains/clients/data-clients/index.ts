import type { Core } from '../../domain.ts';
import type { RecoveryCopies } from '../../identity/index.ts';
import type { ServiceLogs } from '../../operations/index.ts';
import { Clients } from './clients.ts';
import { clientTables } from './tables.ts';

export type { Clients, FreshSecret } from './clients.ts';

export function createDataClients(core: Core, needs: { logs: ServiceLogs; recovery: RecoveryCopies }) {
  return { clients: new Clients({ ...core, ...needs }), domain: { tables: clientTables } };
}
