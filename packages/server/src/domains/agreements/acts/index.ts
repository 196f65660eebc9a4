import type { CallPresence } from '../../../access/presence.ts';
import type { Outbox } from '../../../events/outbox.ts';
import type { PersonSignals } from '../../../events/person-signals.ts';
import type { ProvingChallenges } from '../../approval/index.ts';
import type { Core, Domain } from '../../domain.ts';
import type { Audit, Blobs } from '../../operations/index.ts';
import type { CustomerDocuments } from '../documents/customer-documents.ts';
import type { SignedRuns } from '../ports.ts';
import type { RunCopies } from '../run-copies/run-copies.ts';
import type { Seals } from '../seal/seals.ts';
import { Acts } from './acts.ts';
import { Completion } from './completion.ts';
import { LineActs } from './line-acts.ts';
import { OwnerActs } from './owner-acts.ts';
import { ProvenActs } from './proven-acts.ts';
import { companyActRoutes, ownerActRoutes, personActRoutes } from './routes.ts';

/** Signing and accepting documents, and the seal when all have. */
export function createActs(
  core: Core,
  needs: {
    outbox: Outbox;
    audit: Audit;
    blobs: Blobs;
    seals: Seals;
    personSignals: PersonSignals;
    presence: CallPresence;
    provingChallenges: ProvingChallenges;
    customerDocuments: CustomerDocuments;
    runCopies: RunCopies;
    signedRuns: SignedRuns;
  },
): { acts: Acts; domain: Domain } {
  const completion = new Completion({ ...core, ...needs });
  const lineActs = new LineActs({ ...core, ...needs });
  const acts = new Acts({ ...core, ...needs, completion, lineActs });
  const ownerActs = new OwnerActs({ ...core, ...needs, lineActs });
  const provenActs = new ProvenActs({ ...needs, acts });
  const rules = { provenActs, documents: needs.customerDocuments, audit: needs.audit, ownerActs };
  return {
    acts,
    domain: {
      routes(app) {
        personActRoutes(app, rules);
        companyActRoutes(app, rules);
        ownerActRoutes(app, rules);
      },
    },
  };
}
