import type { Core, Domain } from '../../domain.ts';
import { BuiltPages } from './built-pages.ts';
import { pageRoutes, pageSettings, startRoute } from './routes.ts';

/** The pages for people: sign-in, consent, approvals. Without them the platform still serves programs. */
export function createPages(core: Pick<Core, 'config' | 'log'>): Domain {
  const pages = BuiltPages.open();
  if (pages === undefined) {
    core.log.warn(
      'The pages are not built, so signing in by a browser is impossible: run npm run build:web.',
    );
    return { routes: (app) => startRoute(app) };
  }
  const { forwarderUrl, regions } = core.config;
  // With one region and no forwarder of its own, plugins are called at the page's own origin.
  const regional = [...regions.values()].map((base) => `${base}/forwarder`);
  const forwarders = (forwarderUrl === undefined ? regional : [forwarderUrl]).map((url) => `${url}/`);
  return { routes: (app) => pageRoutes(app, { pages, settings: pageSettings(core.config), forwarders }) };
}
