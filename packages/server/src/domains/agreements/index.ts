import type { Outbox } from '../../events/outbox.ts';
import type { PersonSignals, Presence } from '../accounts/index.ts';
import type { ProvingChallenges } from '../approval/index.ts';
import { type Core, combine } from '../domain.ts';
import type { Audit, Blobs } from '../operations/index.ts';
import { createActs } from './acts/index.ts';
import { createCancellations } from './cancellations/index.ts';
import { connectionDocuments, createDocuments } from './documents/index.ts';
import type { SignedRuns } from './ports.ts';
import { createRunCopies, isRunManaged, ownersCopy, runCopy, runSignatures } from './run-copies/index.ts';
import { createSeal, type SealRouter } from './seal/index.ts';

export { sealedCopy } from './acts/index.ts';
export type { RaisedTogether } from './documents/index.ts';
export type { SignedRuns } from './ports.ts';
export type { MadeDocument, PartyDocument, RunCopies, Withdrawn } from './run-copies/index.ts';
export {
  configuredCertificate,
  daysLeft,
  localSeals,
  type PublishedSeals,
  type SealedPdf,
  type SealRouter,
  type Seals,
  sealRoutes,
  type Templates,
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
    signedRuns: SignedRuns;
  },
) {
  const { domain: seal, ...sealing } = await createSeal(core, needs);
  const { runCopies, domain: runs } = createRunCopies(core, needs);
  const { customerDocuments, domain: documents } = createDocuments(core, {
    ...needs,
    ...{ isRunManaged, ownersCopy, runSignatures },
    isOfRun: async (reader, id) => (await runCopy(reader, id)) !== undefined,
  });
  const acts = createActs(core, { ...needs, ...sealing, customerDocuments, runCopies });
  const cancellations = createCancellations(core, { ...needs, customerDocuments });
  return {
    ...sealing,
    runCopies,
    fills: { connectionDocuments, sealHealth: sealing.sealHealth },
    domain: combine(documents, runs, acts.domain, cancellations, seal, {
      endsWith: [{ person: customerDocuments }],
    }),
  };
}
