import { PersonPluginPassRequest, PluginPass, type PluginSpec } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Core, Domain } from '../../domain.ts';
import type { PluginSpecs } from '../../plugins/index.ts';
import { findService, requestRows, toRequestField } from '../../services/index.ts';

interface Deps extends Pick<Core, 'database'> {
  readonly pluginSpecs: PluginSpecs;
}

/** Passes for the plugin rows that a service asks people for (wire 14.2). */
export function createPluginPass(deps: Deps): Domain {
  return {
    routes(app) {
      const route = routesOf(app, { tags: ['person'], access: ['person'] });
      route(
        'POST /api/person/plugin-pass',
        {
          summary: 'A pass to call the plugins of a service’s request rows',
          federated: { by: 'company_code' },
          body: PersonPluginPassRequest,
          ok: PluginPass,
        },
        async ({ body, headers }) => {
          const { company_code, service_code } = body;
          if (company_code === undefined || service_code === undefined)
            throw new PlatformError('plugins.pass_request_invalid');
          const service = await findService(deps.database.reader, company_code, service_code);
          if (service === undefined) throw new PlatformError('profile.not_found');
          const specs = await specsOf(deps, service.id);
          return deps.pluginSpecs.pass(service.company_id, specs, headers.host);
        },
      );
    },
  };
}

async function specsOf({ database }: Deps, serviceId: string): Promise<Record<string, PluginSpec>> {
  const rows = (await requestRows(database.reader, serviceId)).map(toRequestField);
  return Object.fromEntries(
    rows.flatMap(({ slug, plugin }) => {
      if (plugin === undefined) return [];
      const { plugin_id, field_type, snapshot } = plugin;
      return [[slug, { plugin_id, field_type, snapshot, inputs: {} }]];
    }),
  );
}
