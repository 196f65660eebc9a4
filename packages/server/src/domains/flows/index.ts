import type { FieldTypeRegistry } from '@symbolon/field-types';
import { type Core, combine } from '../domain.ts';
import type { ServiceLogs } from '../operations/index.ts';
import type { Services } from '../services/index.ts';
import { createDefinitions } from './definitions/index.ts';
import type { DescribedPlugins, RunsOfFlow } from './ports.ts';

export { flowRequestRows } from './definitions/index.ts';
export type { DescribedPlugins } from './ports.ts';

/** No flow has a run. */
const noRuns: RunsOfFlow = { unfinished: async () => 0, any: async () => false };

/** Flows that parties answer in turn: their definitions. */
export function createFlows(
  core: Core,
  needs: {
    services: Services;
    logs: ServiceLogs;
    registry: FieldTypeRegistry;
    plugins: DescribedPlugins;
  },
) {
  const definitions = createDefinitions(core, { ...needs, runsOfFlow: noRuns });
  return { flows: definitions.published, domain: combine(definitions.domain) };
}
