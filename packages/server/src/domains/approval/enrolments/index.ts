import type { Core } from '../../domain.ts';
import type { PendingChallenges } from '../ports.ts';
import { Enrolments } from './enrolments.ts';
import { enrolmentRoutes } from './routes.ts';
import { enrolmentTables } from './tables.ts';

export type { Enrolments, NewEnrolment } from './enrolments.ts';
export { deniedAgain, isQuiet, NOT_QUIET } from './quiet-time.ts';
export { type Enrolled, enrolledByCode, enrolmentOf, updateEnrolment } from './store.ts';

/** Which services may ask a person to approve. */
export function createEnrolments(core: Core, needs: { pending: PendingChallenges }) {
  const enrolments = new Enrolments({ ...core, ...needs });
  const domain = {
    tables: enrolmentTables,
    routes: (app: Parameters<typeof enrolmentRoutes>[0]) => enrolmentRoutes(app, { enrolments }),
  };
  return { enrolments, domain };
}
