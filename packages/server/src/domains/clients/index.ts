import type { RecoveryCopies } from '../accounts/index.ts';
import type { ActProofs } from '../companies/index.ts';
import { type Core, combine } from '../domain.ts';
import type { Audit, Maintenance, ServiceLogs } from '../operations/index.ts';
import { createAccountClients } from './account-clients/index.ts';
import { createDataClients } from './data-clients/index.ts';
import { createOAuthApps } from './oauth-apps/index.ts';
import type { CodeGrants, GrantRouter, KeyRouter, PublicKeys } from './tokens/index.ts';
import { createTokens } from './tokens/index.ts';

export type { Clients } from './data-clients/index.ts';
export type { SignInApp, SignInApps } from './oauth-apps/index.ts';
export {
  authorizeRoutes,
  type CodeExchange,
  type CodeGrants,
  type GrantAnswer,
  type GrantRouter,
  type Grants,
  KEYS_MAX_AGE_S,
  type KeyRouter,
  localGrants,
  localKeys,
  metadataRoutes,
  type PublicKeys,
  type TokenRequest,
  tokenRoutes,
} from './tokens/index.ts';

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
  const dataClients = createDataClients(core, needs);
  const own = { ...needs, ...dataClients };
  const accountClients = createAccountClients(core, own);
  const oauthApps = createOAuthApps(core, own);
  const tokens = createTokens(core, { ...own, ...oauthApps });
  return {
    ...dataClients,
    ...tokens,
    ...accountClients,
    ...oauthApps,
    domain: combine(dataClients.domain, tokens.domain, accountClients.domain, oauthApps.domain),
  };
}
