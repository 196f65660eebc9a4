import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { CallPresence } from '../../../access/presence.ts';
import type { Outbox } from '../../../events/outbox.ts';
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

/** A person's side of connections. */
export function createPersonConnections(
  core: Core,
  needs: {
    connections: Connections;
    registry: FieldTypeRegistry;
    slotHome: SlotHome;
    outbox: Outbox;
    presence: CallPresence;
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
