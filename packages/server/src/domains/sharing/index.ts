import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { CallPresence } from '../../access/presence.ts';
import type { Outbox } from '../../events/outbox.ts';
import { type Core, combine } from '../domain.ts';
import type { Audit, Blobs, Jobs } from '../operations/index.ts';
import type { Endings } from '../participation.ts';
import type { Uploads } from '../people/index.ts';
import { CodeLookups } from './code-lookups/code-lookups.ts';
import { limitLookups } from './code-lookups/hooks.ts';
import { createCompanyConnections } from './company-connections/index.ts';
import { CompanyData, type FlowRequestRows } from './company-data/company-data.ts';
import { customerRoutes } from './company-data/customer-routes.ts';
import { Customers } from './company-data/customers.ts';
import { companyDataRoutes } from './company-data/routes.ts';
import { CompanyNotifications } from './connections/company-notifications.ts';
import type { ConnectionDocuments } from './connections/connection-documents.ts';
import { Connections } from './connections/connections.ts';
import { createPersonConnections } from './connections/index.ts';
import { LiveSlots } from './connections/live-slots.ts';
import { PendingNotifications } from './connections/pending-notifications.ts';
import type { AskedConnections } from './connections/person-connections.ts';
import { RowChanges } from './connections/row-changes.ts';
import type { DeletedChallenges } from './connections/service-deletion.ts';
import { ServiceDeletions } from './connections/service-deletion.ts';
import type { SlotHome } from './connections/slot-home.ts';

export { attestation, contentOf } from '../../events/answers.ts';
export type { FlowRequestRows } from './company-data/company-data.ts';
export { accountEvent } from './connections/account-events.ts';
export type { ConnectionDocuments } from './connections/connection-documents.ts';
export type { Connections } from './connections/connections.ts';
export type { Consents } from './connections/consents.ts';
export type { FieldCopy, LiveSlots } from './connections/live-slots.ts';
export {
  type AskedConnections,
  connectionAct,
  type PersonConnections,
} from './connections/person-connections.ts';
export type { DeletedChallenges } from './connections/service-deletion.ts';
export {
  atHome,
  type FilesOfAct,
  localSlots,
  type Plan,
  type Registered,
  type SlotHome,
} from './connections/slot-home.ts';
export type { AnswersOf } from './connections/slot-store.ts';
export { eventSubject } from './connections/slots.ts';
export { groupOf } from './connections/store.ts';
export type { ConnectionRow } from './connections/tables.ts';

/** Connections: what customers share with services, and what a company reads of it. */
export function createSharing(
  core: Core,
  needs: {
    registry: FieldTypeRegistry;
    outbox: Outbox;
    slotHome: SlotHome;
    audit: Audit;
    presence: CallPresence;
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
  const companyData = new CompanyData({ ...core, ...own });
  const customers = new Customers({ ...core, companyData });
  const lookups = new CodeLookups(core);
  return {
    connections,
    liveSlots,
    ...people,
    companyData,
    fills: {
      customers: connections,
      followers: liveSlots,
      pendingEvents: new PendingNotifications({ ...core, ...needs }),
    },
    domain: combine(
      { hooks: (app) => limitLookups(app, lookups) },
      people.domain,
      {
        routes(app) {
          const { headerName } = core.config;
          companyDataRoutes(app, { companyData, headerName });
          customerRoutes(app, { companyData, customers, headerName });
        },
      },
      companies,
      { endsWith: [{ company: connections, person: people.personConnections }] },
    ),
  };
}
