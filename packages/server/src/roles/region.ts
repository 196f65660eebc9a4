import type { Context } from '../context.ts';
import { version } from '../core/version.ts';
import { accountClientRoutes } from '../domains/clients/account-clients/routes.ts';
import { oauthAppRoutes } from '../domains/clients/oauth-apps/routes.ts';
import { peerTokenRoutes } from '../domains/clients/tokens/peer-routes.ts';
import { tokenRoutes } from '../domains/clients/tokens/routes.ts';
import { customerChangeRoutes } from '../domains/delivery/account-feed/routes.ts';
import { changeRoutes } from '../domains/delivery/change-feed/routes.ts';
import { webhookRoutes } from '../domains/delivery/webhooks/routes.ts';
import { delegateRoutes } from '../domains/identity/delegates/routes.ts';
import { fieldRoutes } from '../domains/identity/fields/routes.ts';
import { peopleRoutes } from '../domains/identity/people/routes.ts';
import { portalRoutes } from '../domains/identity/portal/routes.ts';
import { portalSecurityRoutes } from '../domains/identity/portal/security-routes.ts';
import { recoveryRoutes } from '../domains/identity/recovery/routes.ts';
import { healthRoutes } from '../domains/operations/health/routes.ts';
import { auditRoutes } from '../domains/operations/journal/routes.ts';
import { adminRoutes, noAdminRoutes } from '../domains/operator/admin/routes.ts';
import { openApi } from '../domains/operator/docs/openapi.ts';
import { docsRoutes } from '../domains/operator/docs/routes.ts';
import { companyFieldRoutes } from '../domains/profile/company-fields/routes.ts';
import { photoRoutes } from '../domains/profile/photos/routes.ts';
import { profileRoutes } from '../domains/profile/profile/routes.ts';
import { directoryRoutes } from '../domains/regions/directory/directory-routes.ts';
import { fenceDepartures } from '../domains/regions/directory/fence.ts';
import { frontDoorRoutes, homeRoutes } from '../domains/regions/directory/routes.ts';
import { forwardFederatedRoutes } from '../domains/regions/forward/routes.ts';
import { messageRoutes } from '../domains/regions/messages/routes.ts';
import { movePeerRoutes } from '../domains/regions/moves/peer-routes.ts';
import { moveRoutes, regionMigrationRoutes } from '../domains/regions/moves/routes.ts';
import { peopleRegionRoutes } from '../domains/regions/people/routes.ts';
import { registryRoutes } from '../domains/registry/routes.ts';
import { keyRoutes } from '../domains/services/keys/routes.ts';
import { serviceRoutes } from '../domains/services/services/routes.ts';
import { companyConnectionRoutes } from '../domains/sharing/company-connections/routes.ts';
import { companyDataRoutes } from '../domains/sharing/company-data/routes.ts';
import { personConnectionRoutes } from '../domains/sharing/connections/routes.ts';
import { type App, createApp } from '../http/app.ts';
import { sweep } from './workers.ts';

/** The region: everything a company's and a person's data is reached by. */
export function createRegion(context: Context, options: { checkResponses?: boolean } = {}): App {
  const app = createApp({
    authenticator: context.authenticator,
    cookies: context.cookies,
    rateLimits: context.rateLimits,
    routing: context.routing,
    maintenance: context.maintenance,
    ids: context.ids,
    log: context.log,
    trustProxy: context.config.trustProxy,
    checkResponses: options.checkResponses ?? false,
  });
  context.deliveries.attach(app.server);
  app.addHook('preClose', () => context.deliveries.settleSent());
  openApi(app, { version });
  app.register(async (instance) => {
    const scope = instance as unknown as App;
    if (context.forwarding !== undefined) {
      forwardFederatedRoutes(scope, { forwarding: context.forwarding });
      fenceDepartures(scope, context);
    }
    if (context.regionMessages !== undefined) {
      messageRoutes(scope, { regionMessages: context.regionMessages });
      peopleRegionRoutes(scope, context);
    }
    healthRoutes(scope, {
      maintenance: context.maintenance,
      check: async () => {
        await context.database.reader.selectFrom('companies').select('id').limit(1).execute();
      },
    });
    tokenRoutes(scope, context);
    if (context.config.roles.has('front-door')) {
      frontDoorRoutes(scope, { regions: context.regions, issuer: () => context.address.publicUrl });
      if (context.directoryService !== undefined) {
        directoryRoutes(scope, { directory: context.directoryService });
      }
    }
    if (context.peers !== undefined) {
      homeRoutes(scope, {
        names: context.names,
        isSession: async (token) => {
          const found =
            (await context.sessions.find(token, 'token')) ?? (await context.sessions.find(token, 'cookie'));
          return found !== undefined;
        },
      });
      peerTokenRoutes(scope, { grant: context.homeGrant });
      if (context.companyMoves !== undefined) {
        movePeerRoutes(scope, { ...context, arrivals: context.companyMoves.arrivals });
      }
    }
    portalRoutes(scope, context);
    portalSecurityRoutes(scope, context);
    delegateRoutes(scope, context);
    auditRoutes(scope, context);
    recoveryRoutes(scope, context);
    accountClientRoutes(scope, context);
    oauthAppRoutes(scope, context);
    serviceRoutes(scope, context);
    peopleRoutes(scope, context);
    fieldRoutes(scope, context);
    personConnectionRoutes(scope, context);
    webhookRoutes(scope, context);
    companyDataRoutes(scope, context);
    changeRoutes(scope, context);
    companyConnectionRoutes(scope, context);
    customerChangeRoutes(scope, context);
    keyRoutes(scope, context);
    registryRoutes(scope, context);
    profileRoutes(scope, context);
    regionMigrationRoutes(scope, context);
    companyFieldRoutes(scope, context);
    photoRoutes(scope, context);
    if (context.config.operatorToken === undefined) noAdminRoutes(scope);
    else {
      adminRoutes(scope, { ...context, purge: () => sweep(context) });
      moveRoutes(scope, context);
    }
    docsRoutes(scope);
  });
  return app;
}
