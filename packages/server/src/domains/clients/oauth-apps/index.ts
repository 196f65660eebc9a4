import type { ActProofs, RecoveryCopies } from '../../companies/index.ts';
import type { Core, Domain } from '../../domain.ts';
import type { Audit } from '../../operations/index.ts';
import type { Clients } from '../data-clients/clients.ts';
import type { ClientUses } from '../uses/uses.ts';
import { OAuthAppKeys } from './app-key.ts';
import { sweepDeletedApps } from './deleted-apps.ts';
import { OAuthApps } from './oauth-apps.ts';
import { oauthAppRoutes } from './routes.ts';
import { SignInApps } from './sign-in-apps.ts';
import { oauthAppTables } from './tables.ts';

export function createOAuthApps(
  core: Core,
  needs: { clients: Clients; recovery: RecoveryCopies; uses: ClientUses; audit: Audit; actProofs: ActProofs },
) {
  const oauthApps = new OAuthApps({ ...core, ...needs });
  const keys = new OAuthAppKeys({ ...core, ...needs, oauthApps });
  const proofHeader = `x-${core.config.headerName}-proof`.toLowerCase();
  const domain: Domain = {
    tables: oauthAppTables,
    routes: (app) => oauthAppRoutes(app, { oauthApps, keys, proofHeader }),
    sweeps: [{ name: 'deleted apps', run: (stopping) => sweepDeletedApps(core, stopping) }],
  };
  return { signInApps: new SignInApps(core), domain };
}
