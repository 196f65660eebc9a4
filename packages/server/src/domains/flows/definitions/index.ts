import type { Core, Domain, NeedsOf } from '../../domain.ts';
import { Flows } from './flows.ts';
import { PublishedFlows } from './published.ts';
import { Publishing } from './publishing.ts';
import { companyFlowRoutes, flowRoutes } from './routes.ts';
import { definitionTables } from './tables.ts';

export {
  flowRequestRows,
  ownerTagValues,
  type PublishedFlows,
  type PublishedVersion,
  type TagValue,
} from './published.ts';
export type { FlowAssetRow } from './tables.ts';

/** Flows: their drafts, packages and published versions. */
export function createDefinitions(
  core: Core,
  needs: NeedsOf<typeof Flows> & Omit<NeedsOf<typeof Publishing>, 'flows'>,
) {
  const flows = new Flows({ ...core, ...needs });
  const publishing = new Publishing({ ...core, ...needs, flows });
  const published = new PublishedFlows();
  const rules = { ...core, flows, publishing, published };
  const domain: Domain = {
    tables: definitionTables,
    routes(app) {
      flowRoutes(app, rules);
      companyFlowRoutes(app, rules);
    },
  };
  return { published, domain };
}
