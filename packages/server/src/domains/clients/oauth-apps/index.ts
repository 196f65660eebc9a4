import type { Core, Domain, NeedsOf } from '../../domain.ts';
import { OAuthApps } from './oauth-apps.ts';
import { oauthAppRoutes } from './routes.ts';
import { oauthAppTables } from './tables.ts';

export function createOAuthApps(core: Core, needs: NeedsOf<typeof OAuthApps>): Domain {
  const oauthApps = new OAuthApps({ ...core, ...needs });
  return { tables: oauthAppTables, routes: (app) => oauthAppRoutes(app, { oauthApps }) };
}
