import type { CallPresence } from '../../access/presence.ts';
import type { Outbox } from '../../events/outbox.ts';
import type { PersonSignals } from '../../events/person-signals.ts';
import type { ProvingChallenges } from '../approval/index.ts';
import { type Core, combine } from '../domain.ts';
import type { Audit, Blobs } from '../operations/index.ts';
import type { Services } from '../services/index.ts';
import { createActs } from './acts/index.ts';
import { Cancellations } from './cancellations/cancellations.ts';
import { Endings } from './cancellations/endings.ts';
import { cancellationRoutes } from './cancellations/routes.ts';
import { CustomerDocuments, connectionDocuments } from './documents/customer-documents.ts';
import { Documents } from './documents/documents.ts';
import { customerDocumentRoutes, documentRoutes } from './documents/routes.ts';
import { documentTables } from './documents/tables.ts';
import type { SignedRuns } from './ports.ts';
import { isRunManaged, RunCopies } from './run-copies/run-copies.ts';
import { ownersCopy, runSignatures } from './run-copies/service-views.ts';
import { runCopy } from './run-copies/store.ts';
import { runCopyTables } from './run-copies/tables.ts';
import { createSeal } from './seal/index.ts';
import type { SealRouter } from './seal/published-seals.ts';

export { sealedCopy } from './acts/sealed-copy.ts';
export type { SignedRuns } from './ports.ts';
export type { MadeDocument, RunCopies, Withdrawn } from './run-copies/run-copies.ts';
export { localSeals, type PublishedSeals, type SealRouter } from './seal/published-seals.ts';
export { sealRoutes } from './seal/routes.ts';
export type { Templates } from './seal/templates.ts';

/** What services issue to their customers, what customers sign, accept and cancel, and the seal. */
export async function createAgreements(
  core: Core,
  needs: {
    outbox: Outbox;
    audit: Audit;
    services: Services;
    blobs: Blobs;
    personSignals: PersonSignals;
    presence: CallPresence;
    provingChallenges: ProvingChallenges;
    routeSeals: SealRouter;
    signedRuns: SignedRuns;
  },
) {
  const { domain: seal, ...sealing } = await createSeal(core, needs);
  const own = { ...core, ...needs };
  const runCopies = new RunCopies(own);
  const documents = new Documents({
    ...{ ...own, isRunManaged, ownersCopy, runSignatures },
    isOfRun: async (reader, id) => (await runCopy(reader, id)) !== undefined,
  });
  const customerDocuments = new CustomerDocuments({ ...own, isRunManaged });
  const acts = createActs(core, { ...needs, ...sealing, customerDocuments, runCopies });
  const cancellations = new Cancellations({ ...own, customerDocuments });
  const endings = new Endings(own);
  return {
    ...sealing,
    runCopies,
    fills: { connectionDocuments, sealHealth: sealing.sealHealth },
    domain: combine(
      {
        tables: documentTables,
        routes(app) {
          documentRoutes(app, { ...needs, documents });
          customerDocumentRoutes(app, { ...needs, documents: customerDocuments });
        },
        endsWith: [{ person: customerDocuments }],
      },
      { tables: runCopyTables },
      acts.domain,
      {
        routes: (app) => cancellationRoutes(app, { cancellations }),
        sweeps: [{ name: 'ending contracts', run: (stopping) => endings.run(stopping) }],
      },
      seal,
    ),
  };
}
