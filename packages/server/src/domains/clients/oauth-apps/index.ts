import type { Core, Domain } from '../../domain.ts';
import type { RecoveryCopies } from '../../identity/recovery/recovery.ts';
import type { Audit } from '../../operations/journal/audit.ts';
import type { Clients } from '../data-clients/clients.ts';
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
