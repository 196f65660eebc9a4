import type { Core, NeedsOf } from '../../domain.ts';
import { Clients } from './clients.ts';
import { clientTables } from './tables.ts';

export { type ClientAct, clientActOf, clientParams, recordClientAct } from './client-act.ts';
export type { Clients, FreshSecret } from './clients.ts';
export { clientOf, clientsOf, countClients, deleteClientRow } from './company-clients.ts';

export function createDataClients(core: Core, needs: NeedsOf<typeof Clients>) {
  return { clients: new Clients({ ...core, ...needs }), domain: { tables: clientTables } };
}
