import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { Outbox } from '../../../events/outbox.ts';
import type { Core, Domain } from '../../domain.ts';
import type { Connections } from './connections.ts';
import { Consents } from './consents.ts';
import { PersonConnections } from './person-connections.ts';
import { personConnectionRoutes } from './routes.ts';
import type { SlotHome } from './slot-home.ts';
import { connectionTables } from './tables.ts';

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
