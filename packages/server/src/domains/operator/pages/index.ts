import type { Core, Domain } from '../../domain.ts';
import { BuiltPages } from './built-pages.ts';
import { pageRoutes, startRoute } from './routes.ts';

/** The pages for people: sign-in, consent, approvals. Without them the platform still serves programs. */
export function createPages(core: Pick<Core, 'config' | 'log'>): Domain {
  const pages = BuiltPages.open();
  if (pages === undefined) {
    core.log.warn('The pages are not built, so nobody can sign in by a browser: run npm run build:web.');
    return { routes: (app) => startRoute(app) };
  }
  const oneStep = core.config.dangerouslyRegisterWithoutCode;
  return { routes: (app) => pageRoutes(app, { pages, oneStep }) };
}
