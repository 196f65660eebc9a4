import type { Core, Domain } from '../../domain.ts';
import type { RecoveryCopies } from '../../identity/index.ts';
import type { Audit } from '../../operations/index.ts';
import type { Clients } from '../data-clients/index.ts';
import { OAuthApps } from './oauth-apps.ts';
import { oauthAppRoutes } from './routes.ts';
import { oauthAppTables } from './tables.ts';

export function createOAuthApps(
  core: Core,
  needs: { clients: Clients; recovery: RecoveryCopies; audit: Audit },
): Domain {
  const oauthApps = new OAuthApps({ ...core, ...needs });
  return { tables: oauthAppTables, routes: (app) => oauthAppRoutes(app, { oauthApps }) };
}
