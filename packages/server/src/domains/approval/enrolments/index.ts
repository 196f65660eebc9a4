import type { Presence } from '../../accounts/index.ts';
import type { Core, Domain } from '../../domain.ts';
import type { PendingChallenges } from '../ports.ts';
import { Enrolments } from './enrolments.ts';
import { enrolmentRoutes } from './routes.ts';
import { enrolmentTables } from './tables.ts';

export type { Enrolments, NewEnrolment } from './enrolments.ts';
export { deniedAgain, isQuiet, NOT_QUIET } from './quiet-time.ts';
export { type Enrolled, enrolledByCode, enrolmentOf, updateEnrolment } from './store.ts';

/** Which services may ask a person to approve. */
export function createEnrolments(core: Core, needs: { pending: PendingChallenges; presence: Presence }) {
  const enrolments = new Enrolments({ ...core, ...needs });
  const domain: Domain = {
    tables: enrolmentTables,
    routes: (app) => enrolmentRoutes(app, { ...needs, enrolments }),
  };
  return { enrolments, domain };
}
