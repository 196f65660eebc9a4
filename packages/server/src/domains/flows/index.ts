import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { Outbox } from '../../events/outbox.ts';
import type { PersonSignals } from '../../events/person-signals.ts';
import type { RunCopies, SignedRuns, Templates } from '../agreements/index.ts';
import { type Core, combine } from '../domain.ts';
import type { Blobs, ServiceLogs } from '../operations/index.ts';
import type { PluginSpecs } from '../plugins/index.ts';
import type { Services } from '../services/index.ts';
import { createDefinitions } from './definitions/index.ts';
import { flowPluginUses } from './definitions/plugin-uses.ts';
import { flowRequestRows } from './definitions/published.ts';
import { createGeneration, runDocuments, templateReader } from './generation/index.ts';
import { createRuns, runsOfFlow } from './runs/index.ts';

/** Flows that parties answer in turn: their definitions and runs. */
export function createFlows(
  core: Core,
  needs: {
    services: Services;
    logs: ServiceLogs;
    registry: FieldTypeRegistry;
    pluginSpecs: PluginSpecs;
    blobs: Blobs;
    outbox: Outbox;
    personSignals: PersonSignals;
    templates: Templates;
    runCopies: RunCopies;
  },
) {
  const definitions = createDefinitions(core, {
    ...needs,
    plugins: needs.pluginSpecs,
    runsOfFlow,
    templates: templateReader(needs.templates),
  });
  const flows = definitions.published;
  const runs = createRuns(core, { ...needs, flows, documents: runDocuments(needs.runCopies) });
  const generation = createGeneration(core, { ...needs, flows, runs: runs.runs, changes: runs.runChanges });
  const signedRuns: SignedRuns = { completed: (writer, run) => runs.runChanges.complete(writer, run) };
  return {
    flows,
    runEndings: runs.endings,
    fills: { signedRuns, flowRequestRows },
    domain: combine(definitions.domain, runs.domain, generation.domain, {
      endsWith: [{ person: runs.endings, connection: runs.endings }],
      pluginUses: [flowPluginUses],
    }),
  };
}
