import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { Outbox } from '../../events/outbox.ts';
import { type Core, combine } from '../domain.ts';
import type { PersonSignals } from '../identity/index.ts';
import type { Blobs, ServiceLogs } from '../operations/index.ts';
import type { PluginSpecs } from '../plugins/index.ts';
import type { Services } from '../services/index.ts';
import { createDefinitions } from './definitions/index.ts';
import type { DescribedPlugins, TemplateReader } from './ports.ts';
import { createRuns, noDocuments, runsOfFlow } from './runs/index.ts';

export { flowPluginUses, flowRequestRows } from './definitions/index.ts';
export type { DescribedPlugins } from './ports.ts';

/** Nothing is found in a PDF. */
const noTemplates: TemplateReader = {
  analyse: async () => ({ analysis: { pages: 0, tags: [], fields: [], problems: [] }, plan: null }),
};

/** Flows that parties answer in turn: their definitions and runs. */
export function createFlows(
  core: Core,
  needs: {
    services: Services;
    logs: ServiceLogs;
    registry: FieldTypeRegistry;
    plugins: DescribedPlugins;
    pluginSpecs: PluginSpecs;
    blobs: Blobs;
    outbox: Outbox;
    personSignals: PersonSignals;
  },
) {
  const definitions = createDefinitions(core, { ...needs, runsOfFlow, templates: noTemplates });
  const flows = definitions.published;
  const runs = createRuns(core, { ...needs, flows, documents: noDocuments });
  return { flows, runEndings: runs.endings, domain: combine(definitions.domain, runs.domain) };
}
