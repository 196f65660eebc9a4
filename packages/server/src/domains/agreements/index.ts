import type { Outbox } from '../../events/outbox.ts';
import type { ProvingChallenges } from '../approval/index.ts';
import { type Core, combine } from '../domain.ts';
import type { PersonSignals, Presence } from '../identity/index.ts';
import type { Audit, Blobs } from '../operations/index.ts';
import { createActs } from './acts/index.ts';
import { createCancellations } from './cancellations/index.ts';
import { createDocuments } from './documents/index.ts';
import { createSeal, type SealRouter } from './seal/index.ts';

export { connectionDocuments } from './documents/index.ts';
export {
  configuredCertificate,
  daysLeft,
  localSeals,
  type PublishedSeals,
  type SealedPdf,
  type SealRouter,
  type Seals,
  sealRoutes,
} from './seal/index.ts';

/** What services issue to their customers, what customers sign, accept and cancel, and the seal. */
export async function createAgreements(
  core: Core,
  needs: {
    outbox: Outbox;
    audit: Audit;
    blobs: Blobs;
    personSignals: PersonSignals;
    presence: Presence;
    provingChallenges: ProvingChallenges;
    routeSeals: SealRouter;
  },
) {
  const { domain: seal, ...sealing } = createSeal(core, needs);
  const { customerDocuments, domain: documents } = createDocuments(core, needs);
  const acts = createActs(core, { ...needs, ...sealing, customerDocuments });
  const cancellations = createCancellations(core, { ...needs, customerDocuments });
  return {
    ...sealing,
    personDocuments: customerDocuments,
    domain: combine(documents, acts.domain, cancellations, seal),
  };
}
