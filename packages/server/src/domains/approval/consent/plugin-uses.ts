import type { ConsentClaim } from '@symbolon/protocol';
import type { Core } from '../../domain.ts';
import type { PluginUses } from '../../participation.ts';
import { requestsOfPlugins } from './store.ts';

/** Claims use plugins as long as they can be answered. */
export const claimPluginUses = ({ clock }: Pick<Core, 'clock'>): PluginUses => ({
  async of(reader, companyId) {
    const requests = await requestsOfPlugins(reader, companyId, clock.now());
    const uses = requests.flatMap(({ client_id, claims }) =>
      (JSON.parse(claims) as ConsentClaim[]).flatMap(({ name, plugin }) =>
        plugin === undefined
          ? []
          : [{ plugin_id: plugin.plugin_id, kind: 'claim' as const, id: client_id, name, service_id: null }],
      ),
    );
    // Many people answer the same claim.
    return [...new Map(uses.map((use) => [JSON.stringify(use), use])).values()];
  },
});
