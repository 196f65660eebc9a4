import type { Core, Domain } from '../../domain.ts';
import type { Audit } from '../../operations/index.ts';
import type { PluginUses } from '../../participation.ts';
import type { Builtins } from '../builtins/index.ts';
import type { Passes } from '../passes/index.ts';
import { Plugins } from './plugins.ts';
import { reportRoutes } from './report-routes.ts';
import { pluginRoutes } from './routes.ts';
import { pluginTables } from './tables.ts';

export { type AddressRules, readBaseUrl } from './address.ts';
export { fieldTypesOf, type Plugins } from './plugins.ts';
export { REPORT_PATH } from './report-routes.ts';
export { keptPlugin, pluginOf, pluginsOf } from './store.ts';
export type { PluginRow } from './tables.ts';

export function createPluginRegistry(
  core: Core,
  needs: { audit: Audit; passes: Passes; builtins: Builtins; pluginUses: readonly PluginUses[] },
) {
  const plugins = new Plugins({ ...core, ...needs, uses: needs.pluginUses });
  const domain: Domain = {
    tables: pluginTables,
    routes(app) {
      pluginRoutes(app, { plugins });
      reportRoutes(app, { ...core, ...needs, plugins });
    },
  };
  return { plugins, domain };
}
