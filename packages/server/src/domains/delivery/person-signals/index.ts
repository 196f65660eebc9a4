import { deleteExpired } from '../../../db/expired-rows.ts';
import type { Core, Domain } from '../../domain.ts';
import type { SignalsElsewhere } from '../ports.ts';
import { EventStreams } from './event-streams.ts';
import { DevicesSignals } from './person-signals.ts';
import { eventRoutes } from './routes.ts';
import { eventTicketTables } from './tables.ts';
import { EventTickets } from './tickets.ts';

export type { DevicesSignals } from './person-signals.ts';

/** Made before the domains that tell people's devices; it needs the core and the other regions alone. */
export function createPersonSignals(
  core: Core,
  needs: { signalsElsewhere: SignalsElsewhere },
): DevicesSignals {
  return new DevicesSignals({ ...core, ...needs });
}

/** The event streams of people's devices. */
export async function createEventStreams(core: Core, { personSignals }: { personSignals: DevicesSignals }) {
  // The other half is for those who come and go.
  const eventStreams = new EventStreams(core, Math.ceil(core.config.connections.most / 2));
  const eventTickets = new EventTickets(core);
  await personSignals.start((personId, signal) => eventStreams.tell(personId, signal));
  const domain: Domain = {
    tables: eventTicketTables,
    routes(app) {
      app.addHook('preClose', async () => eventStreams.stop());
      eventRoutes(app, { ...core, eventStreams, eventTickets });
    },
    sweeps: [
      {
        name: 'event tickets',
        run: (stopping) => deleteExpired(core, { table: 'event_tickets' }, stopping),
      },
    ],
    stop: () => personSignals.stop(),
  };
  return { personSignals, eventStreams, eventTickets, domain };
}
