import type { Outbox } from '../../../events/outbox.ts';
import type { ProvingChallenges } from '../../approval/index.ts';
import type { Core, Domain } from '../../domain.ts';
import type { PersonSignals, Presence } from '../../identity/index.ts';
import type { Audit, Blobs } from '../../operations/index.ts';
import type { CustomerDocuments } from '../documents/index.ts';
import type { Seals } from '../seal/index.ts';
import { Acts } from './acts.ts';
import { Completion } from './completion.ts';
import { ProvenActs } from './proven-acts.ts';
import { companyActRoutes, personActRoutes } from './routes.ts';

export type { Acts } from './acts.ts';

/** Signing and accepting documents, and the seal when all have. */
export function createActs(
  core: Core,
  needs: {
    outbox: Outbox;
    audit: Audit;
    blobs: Blobs;
    seals: Seals;
    personSignals: PersonSignals;
    presence: Presence;
    provingChallenges: ProvingChallenges;
    customerDocuments: CustomerDocuments;
  },
): { acts: Acts; domain: Domain } {
  const completion = new Completion({ ...core, ...needs });
  const acts = new Acts({ ...core, ...needs, completion });
  const provenActs = new ProvenActs({ ...needs, acts });
  const rules = { provenActs, documents: needs.customerDocuments, audit: needs.audit };
  return {
    acts,
    domain: {
      routes(app) {
        personActRoutes(app, rules);
        companyActRoutes(app, rules);
      },
    },
  };
}
