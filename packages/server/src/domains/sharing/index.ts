import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { Outbox, OwedEvents } from '../../events/outbox.ts';
import { type Core, combine } from '../domain.ts';
import type { Presence, Uploads } from '../identity/index.ts';
import type { Audit, Blobs, Jobs } from '../operations/index.ts';
import { createCodeLookups } from './code-lookups/index.ts';
import { createCompanyConnections } from './company-connections/index.ts';
import { createCompanyData, type FlowRequestRows } from './company-data/index.ts';
import type {
  AskedConnections,
  ConnectionDocuments,
  ConnectionRuns,
  DeletedChallenges,
  SlotHome,
} from './connections/index.ts';
import {
  Connections,
  createPersonConnections,
  LiveSlots,
  OwedTellings,
  RowChanges,
  ServiceDeletions,
  Tellings,
} from './connections/index.ts';

export { attestation, contentOf } from './company-data/index.ts';
export {
  type AnswersOf,
  type AskedConnections,
  accountEvent,
  atHome,
  type ConnectionDocuments,
  type ConnectionRow,
  type ConnectionRuns,
  type Connections,
  type Consents,
  connectionAct,
  eventSubject,
  type FieldCopy,
  type FilesOfAct,
  groupOf,
  type LiveSlots,
  localSlots,
  type PersonConnections,
  type Plan,
  type Registered,
  type SlotHome,
} from './connections/index.ts';

/** What customers are owed; made before the outbox, which asks for it. */
export function createOwedEvents(core: Core, needs: { jobs: Jobs }): OwedEvents {
  return new OwedTellings({ ...core, ...needs });
}

/** What sharing does for domains above it; made before them. */
export function createSharingPorts(
  core: Core,
  needs: {
    outbox: Outbox;
    slotHome: SlotHome;
    jobs: Jobs;
    deletedChallenges: DeletedChallenges;
    connectionRuns: ConnectionRuns;
  },
) {
  const deletions = new ServiceDeletions({ ...core, ...needs });
  const tellings = new Tellings({ ...core, ...needs });
  const rowChanges = new RowChanges({ ...core, ...needs });
  const connections = new Connections({ ...core, ...needs, deletions, rowChanges, tellings });
  return { connections, customers: connections, followers: new LiveSlots(core) };
}

/** Connections: what customers share with services, and what a company reads of it. */
export function createSharing(
  core: Core,
  needs: {
    connections: Connections;
    registry: FieldTypeRegistry;
    outbox: Outbox;
    slotHome: SlotHome;
    audit: Audit;
    presence: Presence;
    askedConnections: AskedConnections;
    blobs: Blobs;
    uploads: Uploads;
    connectionDocuments: ConnectionDocuments;
    flowRequestRows: FlowRequestRows;
  },
) {
  const people = createPersonConnections(core, needs);
  const companies = createCompanyConnections(core, needs);
  const companyData = createCompanyData(core, needs);
  return {
    ...people,
    ...companyData,
    domain: combine(createCodeLookups(core), people.domain, companyData.domain, companies),
  };
}
