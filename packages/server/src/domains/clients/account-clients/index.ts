import type { Core, Domain, NeedsOf } from '../../domain.ts';
import { AccountClients } from './account-clients.ts';
import { accountClientRoutes } from './routes.ts';
import { accountClientTables } from './tables.ts';

export function createAccountClients(core: Core, needs: NeedsOf<typeof AccountClients>) {
  const accountClients = new AccountClients({ ...core, ...needs });
  const domain: Domain = {
    tables: accountClientTables,
    routes: (app) => accountClientRoutes(app, { accountClients }),
  };
  return { accountClients, domain };
}
