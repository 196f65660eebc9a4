import type { Core, Domain } from '../../domain.ts';
import type { OperatorActs } from '../../operations/index.ts';
import { standingRoutes } from './routes.ts';
import { MessagingStanding } from './standing.ts';
import { standingTables } from './tables.ts';

export type { MessagingStanding } from './standing.ts';

/** Who may exchange messages. */
export function createStanding(core: Core, needs: { acts: OperatorActs }) {
  const standing = new MessagingStanding({ ...core, ...needs });
  const domain: Domain = {
    tables: standingTables,
    routes(app) {
      if (core.config.operatorToken !== undefined) standingRoutes(app, { standing });
    },
  };
  return { standing, domain };
}
