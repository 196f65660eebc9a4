import type { Outbox } from '../../../events/outbox.ts';
import type { Core, Domain } from '../../domain.ts';
import type { PersonSignals, Presence } from '../../identity/index.ts';
import type { Blobs } from '../../operations/index.ts';
import type { CustomerDocuments } from '../documents/index.ts';
import type { Seals } from '../seal/index.ts';
import { Acts } from './acts.ts';
import { Completion } from './completion.ts';
import { actRoutes } from './routes.ts';

export type { Acts } from './acts.ts';

/** Signing and accepting documents, and the seal when all have. */
export function createActs(
  core: Core,
  needs: {
    outbox: Outbox;
    blobs: Blobs;
    seals: Seals;
    personSignals: PersonSignals;
    presence: Presence;
    customerDocuments: CustomerDocuments;
  },
): { acts: Acts; domain: Domain } {
  const completion = new Completion({ ...core, ...needs });
  const acts = new Acts({ ...core, ...needs, completion });
  const { presence, customerDocuments: documents } = needs;
  return {
    acts,
    domain: { tables: [], routes: (app) => actRoutes(app, { acts, documents, presence }) },
  };
}
