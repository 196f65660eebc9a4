import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { Outbox } from '../../events/outbox.ts';
import type { Presence } from '../accounts/index.ts';
import { type Core, combine } from '../domain.ts';
import type { Audit, Blobs, Jobs } from '../operations/index.ts';
import type { Endings } from '../participation.ts';
import type { Uploads } from '../people/index.ts';
import { createCodeLookups } from './code-lookups/index.ts';
import { createCompanyConnections } from './company-connections/index.ts';
import { createCompanyData, type FlowRequestRows } from './company-data/index.ts';
import type {
  AskedConnections,
  ConnectionDocuments,
  DeletedChallenges,
  SlotHome,
} from './connections/index.ts';
import {
  CompanyNotifications,
  Connections,
  createPersonConnections,
  LiveSlots,
  PendingNotifications,
  RowChanges,
  ServiceDeletions,
} from './connections/index.ts';

export { attestation, contentOf, type FlowRequestRows } from './company-data/index.ts';
export {
  type AnswersOf,
  type AskedConnections,
  accountEvent,
  atHome,
  type ConnectionDocuments,
  type ConnectionRow,
  type Connections,
  type Consents,
  connectionAct,
  type DeletedChallenges,
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

/** Connections: what customers share with services, and what a company reads of it. */
export function createSharing(
  core: Core,
  needs: {
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
    jobs: Jobs;
    deletedChallenges: DeletedChallenges;
    endings: Endings;
  },
) {
  const deletions = new ServiceDeletions({ ...core, ...needs });
  const notifications = new CompanyNotifications({ ...core, ...needs });
  const rowChanges = new RowChanges({ ...core, ...needs });
  const connections = new Connections({ ...core, ...needs, deletions, rowChanges, notifications });
  const liveSlots = new LiveSlots(core);
  const own = { ...needs, connections };
  const people = createPersonConnections(core, own);
  const companies = createCompanyConnections(core, own);
  const companyData = createCompanyData(core, own);
  return {
    connections,
    liveSlots,
    ...people,
    ...companyData,
    fills: {
      customers: connections,
      followers: liveSlots,
      pendingEvents: new PendingNotifications({ ...core, ...needs }),
    },
    domain: combine(createCodeLookups(core), people.domain, companyData.domain, companies, {
      endsWith: [{ company: connections, person: people.personConnections }],
    }),
  };
}
