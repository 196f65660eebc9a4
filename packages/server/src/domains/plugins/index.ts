import { type Core, combine } from '../domain.ts';
import type { Audit } from '../operations/index.ts';
import type { PluginUses } from '../participation.ts';
import { platformPlugins } from './builtins/index.ts';
import { createPasses } from './passes/index.ts';
import { createPluginSpecs } from './plugin-specs/index.ts';
import { createPluginRegistry } from './registry/index.ts';

export { platformPlugins } from './builtins/index.ts';
export {
  createPasses,
  type PassContent,
  type PassedPlugin,
  type Passes,
  type PluginReport,
} from './passes/index.ts';
export type { PluginSpecs } from './plugin-specs/index.ts';
export { type AddressRules, type Plugins, REPORT_PATH, readBaseUrl } from './registry/index.ts';

/** Plugins of companies: which there are, and the passes by which people's devices call them. */
export function createPlugins(core: Core, needs: { audit: Audit; pluginUses: readonly PluginUses[] }) {
  const passes = createPasses({ ...core, keys: core.secrets.keys });
  const registry = createPluginRegistry(core, { ...needs, passes, builtins: platformPlugins });
  const pluginSpecs = createPluginSpecs(core, { ...registry, passes });
  return { plugins: registry.plugins, pluginPasses: passes, pluginSpecs, domain: combine(registry.domain) };
}
