import type { Core, Domain } from '../../domain.ts';
import type { Maintenance } from '../../operations/index.ts';
import type { PersonSignals, SessionPart } from '../ports.ts';
import { PersonSessions } from './person-sessions.ts';
import { personSessionTables } from './tables.ts';

export type { OpenedSession, PersonSessions } from './person-sessions.ts';
export { deleteSessions } from './store.ts';

/** The browsers in which people are signed in. People's sign-in opens them; its routes are there. */
export function createPersonSessions(
  core: Core,
  needs: { maintenance: Maintenance; personSignals: PersonSignals; sessionParts: readonly SessionPart[] },
) {
  const personSessions = new PersonSessions({ ...core, ...needs });
  const domain: Domain = {
    tables: personSessionTables,
    sweeps: [{ name: "people's sessions", run: (stopping) => personSessions.dropExpired(stopping) }],
  };
  return { personSessions, domain };
}
