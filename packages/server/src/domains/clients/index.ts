import type { ActProofs, RecoveryCopies } from '../companies/index.ts';
import { type Core, combine } from '../domain.ts';
import type { Audit, Maintenance, ServiceLogs } from '../operations/index.ts';
import { AccountClients } from './account-clients/account-clients.ts';
import { accountClientRoutes } from './account-clients/routes.ts';
import { accountClientTables } from './account-clients/tables.ts';
import { Clients } from './data-clients/clients.ts';
import { clientTables } from './data-clients/tables.ts';
import { createOAuthApps } from './oauth-apps/index.ts';
import type { CodeGrants, GrantRouter } from './tokens/grant.ts';
import { createTokens } from './tokens/index.ts';
import type { KeyRouter, PublicKeys } from './tokens/public-keys.ts';
import { clientUseRoutes } from './uses/routes.ts';
import { clientUseTables } from './uses/tables.ts';
import { ClientUses } from './uses/uses.ts';

export type { Clients } from './data-clients/clients.ts';
export type { SignInApp, SignInApps } from './oauth-apps/sign-in-apps.ts';
export { authorizeRoutes } from './tokens/authorize-routes.ts';
export {
  type CodeExchange,
  type CodeGrants,
  type GrantAnswer,
  type GrantRouter,
  type Grants,
  localGrants,
  type TokenRequest,
} from './tokens/grant.ts';
export { metadataRoutes } from './tokens/metadata-routes.ts';
export { KEYS_MAX_AGE_S, type KeyRouter, localKeys, type PublicKeys } from './tokens/public-keys.ts';
export { tokenRoutes } from './tokens/routes.ts';

/** OAuth clients of companies, and the tokens they get. */
export function createClients(
  core: Core,
  needs: {
    logs: ServiceLogs;
    recovery: RecoveryCopies;
    actProofs: ActProofs;
    audit: Audit;
    maintenance: Maintenance;
    routeGrants: GrantRouter;
    codeGrants: CodeGrants;
    signingKeys: PublicKeys;
    routeKeys: KeyRouter;
  },
) {
  const uses = new ClientUses({ ...core, ...needs });
  const clients = new Clients({ ...core, ...needs, uses });
  const own = { ...needs, clients, uses };
  const accountClients = new AccountClients({ ...core, ...own });
  const oauthApps = createOAuthApps(core, own);
  const tokens = createTokens(core, { ...own, ...oauthApps });
  return {
    clients,
    ...tokens,
    accountClients,
    ...oauthApps,
    domain: combine(
      { tables: clientTables },
      tokens.domain,
      { tables: accountClientTables, routes: (app) => accountClientRoutes(app, { accountClients }) },
      oauthApps.domain,
      { tables: clientUseTables, routes: (app) => clientUseRoutes(app, { uses }) },
    ),
  };
}
