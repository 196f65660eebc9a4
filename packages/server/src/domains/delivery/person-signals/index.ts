import { type Core, type Domain, expirySweep } from '../../domain.ts';
import type { SignalsElsewhere } from '../ports.ts';
import { EventStreams } from './event-streams.ts';
import { DevicesSignals } from './person-signals.ts';
import { eventRoutes } from './routes.ts';
import { eventTicketTables } from './tables.ts';
import { EventTickets } from './tickets.ts';

/** The event streams of people's devices, and what is sent on them. */
export async function createPersonSignals(core: Core, needs: { signalsElsewhere: SignalsElsewhere }) {
  const personSignals = new DevicesSignals({ ...core, ...needs });
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
    sweeps: [expirySweep(core, 'event tickets', 'event_tickets')],
    stop: () => personSignals.stop(),
  };
  return { personSignals, eventStreams, eventTickets, domain };
}
