import type { Context } from '../context.ts';
import { accountClientRoutes } from '../features/account-clients/routes.ts';
import { adminRoutes, noAdminRoutes } from '../features/admin/routes.ts';
import { auditRoutes } from '../features/audit/routes.ts';
import { changeRoutes } from '../features/changes/routes.ts';
import { companyConnectionRoutes } from '../features/company-connections/routes.ts';
import { companyDataRoutes } from '../features/company-data/routes.ts';
import { companyFieldRoutes } from '../features/company-fields/routes.ts';
import { personConnectionRoutes } from '../features/connections/routes.ts';
import { customerChangeRoutes } from '../features/customer-changes/routes.ts';
import { delegateRoutes } from '../features/delegates/routes.ts';
import { openApi } from '../features/docs/openapi.ts';
import { docsRoutes } from '../features/docs/routes.ts';
import { fieldRoutes } from '../features/fields/routes.ts';
import { healthRoutes } from '../features/health/routes.ts';
import { keyRoutes } from '../features/keys/routes.ts';
import { movePeerRoutes } from '../features/moves/peer-routes.ts';
import { moveRoutes, regionMigrationRoutes } from '../features/moves/routes.ts';
import { oauthAppRoutes } from '../features/oauth-apps/routes.ts';
import { peopleRoutes } from '../features/people/routes.ts';
import { photoRoutes } from '../features/photos/routes.ts';
import { portalRoutes } from '../features/portal/routes.ts';
import { portalSecurityRoutes } from '../features/portal/security-routes.ts';
import { profileRoutes } from '../features/profile/routes.ts';
import { recoveryRoutes } from '../features/recovery/routes.ts';
import { directoryRoutes } from '../features/regions/directory-routes.ts';
import { fenceDepartures } from '../features/regions/fence.ts';
import { forwardSpanningRoutes } from '../features/regions/forward/routes.ts';
import { messageRoutes } from '../features/regions/messages/routes.ts';
import { peopleRegionRoutes } from '../features/regions/people/routes.ts';
import { frontDoorRoutes, homeRoutes } from '../features/regions/routes.ts';
import { registryRoutes } from '../features/registry/routes.ts';
import { serviceRoutes } from '../features/services/routes.ts';
import { serveTokensLeanly } from '../features/tokens/lean-token-route.ts';
import { peerTokenRoutes } from '../features/tokens/peer-routes.ts';
import { tokenRoutes } from '../features/tokens/routes.ts';
import { webhookRoutes } from '../features/webhooks/routes.ts';
import { type App, createApp } from '../http/app.ts';
import { isObserved } from '../http/telemetry.ts';
import { version } from '../version.ts';
import { sweep } from '../workers/workers.ts';

/** The region: everything a company's and a person's data is reached by. */
export function createRegion(context: Context, options: { checkResponses?: boolean } = {}): App {
  const app = createApp({
    authenticator: context.authenticator,
    cookies: context.cookies,
    rateLimits: context.rateLimits,
    regions: context.regions,
    maintenance: context.maintenance,
    ids: context.ids,
    log: context.log,
    trustProxy: context.config.trustProxy,
    checkResponses: options.checkResponses ?? false,
  });
  // A proxy's word for the source address, and spans, are the framework's to read.
  if (!context.config.trustProxy && !isObserved()) serveTokensLeanly(app.server, context);
  context.deliveries.attach(app.server);
  app.addHook('preClose', () => context.deliveries.settleSent());
  openApi(app, { version });
  app.register(async (instance) => {
    const scope = instance as unknown as App;
    if (context.forwarding !== undefined) {
      forwardSpanningRoutes(scope, { forwarding: context.forwarding });
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
