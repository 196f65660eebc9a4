import type { Core, Domain } from '../../domain.ts';
import type { Audit } from '../../operations/index.ts';
import type { Clients } from '../data-clients/index.ts';
import { AccountClients } from './account-clients.ts';
import { accountClientRoutes } from './routes.ts';
import { accountClientTables } from './tables.ts';

export function createAccountClients(core: Core, needs: { clients: Clients; audit: Audit }) {
  const accountClients = new AccountClients({ ...core, ...needs });
  const domain: Domain = {
    tables: accountClientTables,
    routes: (app) => accountClientRoutes(app, { accountClients }),
  };
  return { accountClients, domain };
}
