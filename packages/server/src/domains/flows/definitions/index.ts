import type { Core, Domain, NeedsOf } from '../../domain.ts';
import { Assets } from './assets.ts';
import { flowFileRoutes } from './file-routes.ts';
import { Flows } from './flows.ts';
import { LargeDefinitions } from './large-definitions.ts';
import { Packages } from './packages.ts';
import { PublishedFlows } from './published.ts';
import { Publishing } from './publishing.ts';
import { companyFlowRoutes, flowRoutes } from './routes.ts';
import { SentDefinitions } from './sent-definitions.ts';
import { definitionTables } from './tables.ts';

/** What is made here. */
type Made = 'flows' | 'largeDefinitions';

/** Flows: their drafts, packages and published versions. */
export function createDefinitions(
  core: Core,
  needs: Omit<NeedsOf<typeof Flows>, Made> &
    Omit<NeedsOf<typeof Publishing>, Made> &
    Omit<NeedsOf<typeof Assets>, Made>,
) {
  const largeDefinitions = new LargeDefinitions();
  const sent = new SentDefinitions(largeDefinitions);
  const flows = new Flows({ ...core, ...needs, largeDefinitions });
  const publishing = new Publishing({ ...core, ...needs, flows, largeDefinitions });
  const published = new PublishedFlows();
  const assets = new Assets({ ...core, ...needs, flows });
  const packages = new Packages({ ...core, ...needs, assets, flows, largeDefinitions, published, sent });
  const rules = { ...core, ...needs, assets, flows, packages, publishing, published, sent };
  const domain: Domain = {
    tables: definitionTables,
    routes(app) {
      flowRoutes(app, rules);
      flowFileRoutes(app, rules);
      companyFlowRoutes(app, rules);
    },
    stop: () => largeDefinitions.stop(),
  };
  return { published, domain };
}
