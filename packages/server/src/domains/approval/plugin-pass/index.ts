import { PersonPluginPassRequest, PluginPass, type PluginSpec } from '@symbolon/protocol';
import { personOf } from '../../../access/callers.ts';
import { PlatformError } from '../../../core/errors.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Core, Domain } from '../../domain.ts';
import type { PluginSpecs } from '../../plugins/index.ts';
import { findService, requestRows, toRequestField } from '../../services/index.ts';
import type { ConsentRequests } from '../consent/requests.ts';

interface Deps extends Pick<Core, 'database'> {
  readonly pluginSpecs: PluginSpecs;
  readonly consentRequests: ConsentRequests;
}

/** What a company asks of its plugins, by the slug of a row or the name of a claim. */
interface AskedOfPlugins {
  readonly companyId: string;
  readonly specs: Readonly<Record<string, PluginSpec>>;
}

/** Passes for the plugin rows of a service and the plugin claims of a sign-in request (wire 14.2). */
export function createPluginPass(deps: Deps): Domain {
  return {
    routes(app) {
      const route = routesOf(app, { tags: ['person'], access: ['person'] });
      route(
        'POST /api/person/plugin-pass',
        {
          errors: ['oauth.request_not_found', 'plugins.pass_request_invalid', 'profile.not_found'],
          summary: 'A pass to call the plugins of a service’s request rows, or of a sign-in request’s claims',
          description:
            'Takes company_code and service_code, or client_id and state of a request that the person has begun.',
          federated: { by: 'company_code', missing: 'oauth.request_not_found' },
          body: PersonPluginPassRequest,
          ok: PluginPass,
        },
        async (request) => {
          const personId = personOf(request);
          const { companyId, specs } = await askedOf(deps, personId, request.body);
          return deps.pluginSpecs.pass(companyId, specs, request.headers.host, personId);
        },
      );
    },
  };
}

/** @throws {PlatformError} plugins.pass_request_invalid, profile.not_found, oauth.request_not_found */
async function askedOf(
  { database, consentRequests }: Deps,
  personId: string,
  { company_code, service_code, client_id, state }: PersonPluginPassRequest,
): Promise<AskedOfPlugins> {
  if (company_code === undefined && service_code === undefined && client_id !== undefined) {
    const { companyId, claims } = await consentRequests.ownClaims(personId, client_id, state);
    return { companyId, specs: specsOf(claims.map(({ name, plugin }) => [name, plugin])) };
  }
  if (company_code === undefined || service_code === undefined || client_id !== undefined)
    throw new PlatformError('plugins.pass_request_invalid');
  const service = await findService(database.reader, company_code, service_code);
  if (service === undefined) throw new PlatformError('profile.not_found');
  const rows = (await requestRows(database.reader, service.id)).map(toRequestField);
  return { companyId: service.company_id, specs: specsOf(rows.map(({ slug, plugin }) => [slug, plugin])) };
}

function specsOf(
  asked: readonly (readonly [name: string, plugin: Omit<PluginSpec, 'inputs'> | undefined])[],
): Record<string, PluginSpec> {
  return Object.fromEntries(
    asked.flatMap(([name, plugin]) => {
      if (plugin === undefined) return [];
      const { plugin_id, field_type, snapshot } = plugin;
      return [[name, { plugin_id, field_type, snapshot, inputs: {} }]];
    }),
  );
}
