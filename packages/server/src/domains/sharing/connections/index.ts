import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { Outbox } from '../../../events/outbox.ts';
import type { Core, Domain } from '../../domain.ts';
import type { Connections } from './connections.ts';
import { Consents } from './consents.ts';
import { PersonConnections } from './person-connections.ts';
import { personConnectionRoutes } from './routes.ts';
import type { SlotHome } from './slot-home.ts';
import { connectionTables } from './tables.ts';

export { accountEvent } from './account-events.ts';
export { Connections } from './connections.ts';
export {
  type CustomerLink,
  connectionWithConsent,
  customerConnection,
  customerConnections,
  customerLinks,
  openConsent,
  openConsents,
  pendingRows,
} from './customer-links.ts';
export { type Answer, isAskedOf, isMandatoryFor, pairRows, refuseMissing } from './decisions.ts';
export { type FieldCopy, LiveSlots } from './live-slots.ts';
export { atHome, localSlots, type Plan, type Registered, type SlotHome } from './slot-home.ts';
export { answeredRows, changeSlots, declineRows, eventSubject, storeAnswers } from './slots.ts';
export type { ConnectionRow, SlotValueRow } from './tables.ts';

/** A person's side of connections. */
export function createPersonConnections(
  core: Core,
  needs: { connections: Connections; registry: FieldTypeRegistry; slotHome: SlotHome; outbox: Outbox },
): Domain {
  const personConnections = new PersonConnections({ ...core, ...needs });
  const consents = new Consents({ ...core, ...needs, personConnections });
  return {
    tables: connectionTables,
    routes: (app) => personConnectionRoutes(app, { personConnections, consents }),
  };
}
