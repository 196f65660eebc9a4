import type { Core, Domain } from '../../domain.ts';
import type { Maintenance } from '../../operations/index.ts';
import type { Clients } from '../data-clients/clients.ts';
import type { SignInApps } from '../oauth-apps/sign-in-apps.ts';
import type { ClientUses } from '../uses/uses.ts';
import { authorizeRoutes } from './authorize-routes.ts';
import { type CodeGrants, type GrantRouter, TokenGrant } from './grant.ts';
import { metadataRoutes } from './metadata-routes.ts';
import type { KeyRouter, PublicKeys } from './public-keys.ts';
import { tokenRoutes } from './routes.ts';

/** The token route. */
export function createTokens(
  core: Core,
  needs: {
    clients: Clients;
    signInApps: SignInApps;
    codeGrants: CodeGrants;
    uses: ClientUses;
    maintenance: Maintenance;
    routeGrants: GrantRouter;
    signingKeys: PublicKeys;
    routeKeys: KeyRouter;
  },
) {
  const grant = new TokenGrant({ ...core, ...needs });
  const domain: Domain = {
    routes(app) {
      authorizeRoutes(app, needs);
      tokenRoutes(app, { ...core, ...needs, grant: needs.routeGrants(grant) });
      if (core.config.roles.has('front-door')) {
        metadataRoutes(app, { ...core, publicKeys: needs.routeKeys(needs.signingKeys) });
      }
    },
  };
  return { grant, domain };
}
