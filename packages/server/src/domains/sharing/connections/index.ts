import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { Outbox } from '../../../events/outbox.ts';
import type { Presence } from '../../accounts/index.ts';
import type { Core, Domain } from '../../domain.ts';
import type { ConnectionDocuments } from './connection-documents.ts';
import type { Connections } from './connections.ts';
import { Consents } from './consents.ts';
import { CustomerConnections } from './customer-connections.ts';
import { expireFiles } from './file-expiry.ts';
import { type AskedConnections, PersonConnections } from './person-connections.ts';
import { personSide } from './person-side.ts';
import { personConnectionRoutes } from './routes.ts';
import type { SlotHome } from './slot-home.ts';
import { connectionTables } from './tables.ts';

export { accountEvent } from './account-events.ts';
export { CompanyNotifications } from './company-notifications.ts';
export type { ConnectionDocuments } from './connection-documents.ts';
export { Connections } from './connections.ts';
export { Consents } from './consents.ts';
export { CustomerConnections, serviceByCodes } from './customer-connections.ts';
export { type CustomerLink, customerLinks, inParts, openConsents } from './customer-links.ts';
export {
  byConnection,
  connecting,
  connectionRoutes,
  consentRoutes,
  lookupRoutes,
  remapping,
} from './customer-routes.ts';
export {
  cardRowOf,
  ownConnection,
  ownConnectionIds,
  ownConnectionRows,
  type ServiceCardRow,
} from './customer-store.ts';
export {
  answerOf,
  type Decided,
  isAskedOf,
  liveOf,
  pairRows,
  readDecisions,
  uploadsIn,
} from './decisions.ts';
export { type FieldCopy, LiveSlots } from './live-slots.ts';
export { pendingRows } from './pending.ts';
export { PendingNotifications } from './pending-notifications.ts';
export { type AskedConnections, connectionAct, type PersonConnections } from './person-connections.ts';
export { RowChanges } from './row-changes.ts';
export { type DeletedChallenges, ServiceDeletions } from './service-deletion.ts';
export type { Side } from './side.ts';
export {
  atHome,
  type FilesOfAct,
  localSlots,
  type Plan,
  type Registered,
  type SlotHome,
} from './slot-home.ts';
export type { AnswersOf } from './slot-store.ts';
export { eventSubject } from './slots.ts';
export { groupOf } from './store.ts';
export type { ConnectionRow, SlotValueRow } from './tables.ts';

/** A person's side of connections. */
export function createPersonConnections(
  core: Core,
  needs: {
    connections: Connections;
    registry: FieldTypeRegistry;
    slotHome: SlotHome;
    outbox: Outbox;
    presence: Presence;
    askedConnections: AskedConnections;
    connectionDocuments: ConnectionDocuments;
  },
) {
  const side = personSide({ ...core, ...needs });
  const customers = new CustomerConnections({ ...core, ...needs, side });
  const personConnections = new PersonConnections({ ...core, ...needs, customers });
  const consents = new Consents({ ...core, customers, side });
  const domain: Domain = {
    tables: connectionTables,
    routes: (app) => personConnectionRoutes(app, { ...needs, personConnections, consents }),
    sweeps: [{ name: 'files given once', run: (stopping) => expireFiles({ ...core, ...needs }, stopping) }],
  };
  return { personConnections, personConsents: consents, domain };
}
