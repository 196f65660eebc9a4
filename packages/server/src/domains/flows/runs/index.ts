import type { Outbox } from '../../../events/outbox.ts';
import type { PersonSignals } from '../../../events/person-signals.ts';
import { type Core, type Domain, expirySweep } from '../../domain.ts';
import type { Blobs } from '../../operations/index.ts';
import type { PluginSpecs } from '../../plugins/index.ts';
import type { PublishedFlows } from '../definitions/published.ts';
import type { RunsOfFlow } from '../ports.ts';
import { Answers } from './answers.ts';
import { countRunsOfFlow } from './count-store.ts';
import { customerRunRoutes } from './customer-routes.ts';
import { RunEndings } from './endings.ts';
import { RunFiles } from './files.ts';
import { PluginPasses } from './plugin-passes.ts';
import type { RunDocuments } from './ports.ts';
import { companyRunRoutes } from './routes.ts';
import { RunChanges } from './run-changes.ts';
import { Runs } from './runs.ts';
import { Starts } from './starts.ts';
import { runTables } from './tables.ts';
import { RunViews } from './views.ts';

/** What the definitions of flows must know of their runs. */
export const runsOfFlow: RunsOfFlow = {
  unfinished: (reader, flow) => countRunsOfFlow(reader, flow, 'unfinished'),
  any: async (reader, flow) => (await countRunsOfFlow(reader, flow, 'all')) > 0,
};

/** Runs of flows: how they start, how their parties answer, how they end. */
export function createRuns(
  core: Core,
  needs: {
    flows: PublishedFlows;
    documents: RunDocuments;
    pluginSpecs: PluginSpecs;
    blobs: Blobs;
    outbox: Outbox;
    personSignals: PersonSignals;
  },
) {
  const changes = new RunChanges({ ...core, ...needs });
  const views = new RunViews(needs);
  const own = { ...core, ...needs, changes, views };
  const runs = new Runs(own);
  const rules = {
    runs,
    starts: new Starts(own),
    answers: new Answers(own),
    files: new RunFiles(own),
    passes: new PluginPasses(own),
    blobs: needs.blobs,
  };
  const domain: Domain = {
    tables: runTables,
    sweeps: [expirySweep(core, 'unused files of runs', 'flow_run_uploads')],
    routes(app) {
      companyRunRoutes(app, rules);
      customerRunRoutes(app, rules);
    },
  };
  return { runs, runChanges: changes, endings: new RunEndings(own), domain };
}
