import type { Core, Domain, NeedsOf } from '../../domain.ts';
import { PersonMessages } from './person-messages.ts';
import { personMessageRoutes, serviceMessageRoutes } from './routes.ts';
import { ServiceMessages } from './service-messages.ts';
import { messageTables } from './tables.ts';

/** Messages between a service and one customer. */
export function createMessages(core: Core, needs: NeedsOf<typeof ServiceMessages>): Domain {
  const serviceMessages = new ServiceMessages({ ...core, ...needs });
  const personMessages = new PersonMessages({ ...core, ...needs });
  return {
    tables: messageTables,
    routes(app) {
      serviceMessageRoutes(app, { messages: serviceMessages });
      personMessageRoutes(app, { messages: personMessages });
    },
  };
}
