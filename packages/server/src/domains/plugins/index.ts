import { type Core, combine, type Domain } from '../domain.ts';
import type { Audit } from '../operations/index.ts';
import type { PluginUses } from '../participation.ts';
import { platformPlugins } from './builtins/builtins.ts';
import { Passes } from './passes/passes.ts';
import { PluginSpecs } from './plugin-specs/plugin-specs.ts';
import { trialRoute } from './plugin-specs/trial-route.ts';
import { Plugins } from './registry/plugins.ts';
import { reportRoutes } from './registry/report-routes.ts';
import { pluginRoutes } from './registry/routes.ts';
import { pluginTables } from './registry/tables.ts';

export { platformPlugins } from './builtins/builtins.ts';

export { type PassContent, Passes, type PluginReport } from './passes/passes.ts';
export type { PluginSpecs } from './plugin-specs/plugin-specs.ts';
export { type AddressRules, readBaseUrl } from './registry/address.ts';
export type { Plugins } from './registry/plugins.ts';
export { REPORT_PATH } from './registry/report-routes.ts';

/** Plugins of companies: which there are, and the passes by which people's devices call them. */
export function createPlugins(core: Core, needs: { audit: Audit; pluginUses: readonly PluginUses[] }) {
  const passes = new Passes({ ...core, keys: core.secrets.keys });
  const own = { ...core, ...needs, passes, builtins: platformPlugins };
  const plugins = new Plugins({ ...own, uses: needs.pluginUses });
  const pluginSpecs = new PluginSpecs({ ...own, plugins });
  const domain: Domain = {
    tables: pluginTables,
    routes(app) {
      pluginRoutes(app, { plugins });
      trialRoute(app, { specs: pluginSpecs });
      reportRoutes(app, { ...own, plugins });
    },
  };
  return {
    plugins,
    pluginPasses: passes,
    pluginSpecs,
    domain: combine(domain),
  };
}
