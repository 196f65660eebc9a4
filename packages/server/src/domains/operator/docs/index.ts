import { version } from '../../../core/version.ts';
import type { Domain } from '../../domain.ts';
import { openApi } from './openapi.ts';
import { docsRoutes } from './routes.ts';

export { docsRoutes, startPage } from './routes.ts';

/** The OpenAPI document of the routes that are added after it, and the page to explore it. */
export function createDocs(): Domain {
  return { hooks: (app) => openApi(app, { version }), routes: (app) => docsRoutes(app) };
}
