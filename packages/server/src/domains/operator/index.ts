import { version } from '../../core/version.ts';
import { type Core, combine, type Domain } from '../domain.ts';
import { createAdmin } from './admin/index.ts';
import { openApi } from './docs/openapi.ts';
import { docsRoutes } from './docs/routes.ts';
import { createPages } from './pages/index.ts';

export { createBackups } from './admin/backup-domain.ts';
export { noAdminRoutes } from './admin/routes.ts';
export { BackupError, besideOf, refuseUsed, restoreBeside, takeBlobs } from './backup/index.ts';
export { docsRoutes } from './docs/routes.ts';
export { createPages } from './pages/index.ts';

/** What the operator of the platform does. No domain uses it. */
export function createOperator(core: Core, needs: Parameters<typeof createAdmin>[1]) {
  const admin = createAdmin(core, needs);
  const docs: Domain = { hooks: (app) => openApi(app, { version }), routes: (app) => docsRoutes(app) };
  return { ...admin, domain: combine(docs, createPages(core), admin.domain) };
}
