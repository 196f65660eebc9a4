import type { Core, Domain } from '../../domain.ts';
import type { Maintenance } from '../../operations/index.ts';
import type { Endings } from '../../participation.ts';
import type { PersonSignals } from '../ports.ts';
import { PersonSessions } from './person-sessions.ts';
import { personSessionTables } from './tables.ts';

export type { OpenedSession, PersonSessions } from './person-sessions.ts';
export { deleteSessions } from './store.ts';

/** The browsers in which people are signed in. People's sign-in opens them; its routes are there. */
export function createPersonSessions(
  core: Core,
  needs: { maintenance: Maintenance; personSignals: PersonSignals; endings: Endings },
) {
  const personSessions = new PersonSessions({ ...core, ...needs });
  const domain: Domain = {
    tables: personSessionTables,
    sweeps: [{ name: "people's sessions", run: (stopping) => personSessions.dropExpired(stopping) }],
  };
  return { personSessions, domain };
}
