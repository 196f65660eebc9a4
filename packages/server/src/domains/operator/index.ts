import { type Core, combine } from '../domain.ts';
import { createAdmin } from './admin/index.ts';
import { createDocs } from './docs/index.ts';
import { createPages } from './pages/index.ts';

export { docsRoutes } from './docs/index.ts';
export { createPages } from './pages/index.ts';

/** What the operator of the platform does. No domain uses it. */
export function createOperator(core: Core, needs: Parameters<typeof createAdmin>[1]) {
  const admin = createAdmin(core, needs);
  return { ...admin, domain: combine(createDocs(), createPages(core), admin.domain) };
}
