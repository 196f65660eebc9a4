import type { PluginUses } from '../../participation.ts';
import { pluginUses } from './store.ts';

/** Flows use the plugins that their draft or latest version names. */
export const flowPluginUses: PluginUses = {
  async of(reader, companyId) {
    const flows = await pluginUses(reader, companyId);
    return flows.flatMap(({ id, service_id, name, plugin_ids, published_ids }) => {
      const named = new Set<string>([...JSON.parse(plugin_ids), ...JSON.parse(published_ids ?? '[]')]);
      return [...named].map((plugin_id) => ({ plugin_id, kind: 'flow' as const, id, name, service_id }));
    });
  },
};
