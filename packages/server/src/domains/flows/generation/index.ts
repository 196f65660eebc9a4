import type { FlowAssetAnalysis } from '@symbolon/protocol';
import type { RunCopies, Templates } from '../../agreements/index.ts';
import { type Core, type Domain, expirySweep, type NeedsOf } from '../../domain.ts';
import type { TemplateReader } from '../ports.ts';
import type { RunDocuments } from '../runs/ports.ts';
import type { Runs } from '../runs/runs.ts';
import { Generation } from './generation.ts';
import { Inputs } from './inputs.ts';
import { invalidAs } from './invalid-as.ts';
import { generationRoutes } from './routes.ts';
import { generationTables } from './tables.ts';
import { Withdrawals } from './withdrawals.ts';

/** What definitions ask of their PDFs. */
export const templateReader = (templates: Templates): TemplateReader => ({
  async analyse(companyId, bytes) {
    const read = () => templates.analyse(companyId, bytes);
    const { plan, ...analysis } = await invalidAs('flows.asset_invalid', read);
    return { analysis: structuredClone(analysis) as FlowAssetAnalysis, plan };
  },
});

/** What runs ask of their documents. */
export const runDocuments = (runCopies: RunCopies): RunDocuments => ({
  ofRuns: (reader, runIds) => runCopies.ofRuns(reader, runIds),
  end: (writer, run) => runCopies.end(writer, run.id),
});

/** The documents of runs: how they are made. */
export function createGeneration(
  core: Core,
  needs: NeedsOf<typeof Generation> & { runs: Runs },
): { domain: Domain } {
  const own = { ...core, ...needs };
  const rules = {
    ...own,
    generation: new Generation(own),
    inputs: new Inputs(own),
    withdrawals: new Withdrawals(own),
  };
  return {
    domain: {
      tables: generationTables,
      routes: (app) => generationRoutes(app, rules),
      sweeps: [expirySweep(core, 'inputs of runs', 'flow_run_inputs')],
    },
  };
}
