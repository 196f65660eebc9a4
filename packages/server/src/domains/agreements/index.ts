import type { Outbox } from '../../events/outbox.ts';
import { type Core, combine, type Domain } from '../domain.ts';
import type { PersonPart, PersonSignals } from '../identity/index.ts';
import type { Blobs } from '../operations/index.ts';
import { createDocuments } from './documents/index.ts';

export { connectionDocuments } from './documents/index.ts';

/** What services issue to their customers, and what customers sign, accept and cancel. */
export function createAgreements(
  core: Core,
  needs: { outbox: Outbox; blobs: Blobs; personSignals: PersonSignals },
): { personDocuments: PersonPart; domain: Domain } {
  const documents = createDocuments(core, needs);
  return { personDocuments: documents.customerDocuments, domain: combine(documents.domain) };
}
