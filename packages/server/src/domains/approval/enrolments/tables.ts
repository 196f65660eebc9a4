import { defineTables } from '../../../db/table-registry.ts';
import type { Flag } from '../../../db/tables.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    two_factor_enrolments: EnrolmentRow;
  }
}

/** A person lets a service ask for approvals. It lives at the home of the service's company. */
export interface EnrolmentRow {
  company_id: string;
  id: string;
  service_id: string;
  person_id: string;
  /** The sign-in app through which the person enrolled. */
  app_id: string | null;
  /** The person wants to hear nothing of this service. */
  muted: Flag;
  /** Denials of an hour, and when the last one was: they decide how long the service must be quiet. */
  denials: number;
  denied_at: number | null;
  created_at: number;
}

export const enrolmentTables = defineTables({
  two_factor_enrolments: {
    key: ['company_id', 'id'],
    belongsTo: { companies: 'company_id', services: 'service_id', persons: 'person_id' },
    manyOf: ['services'],
    move: {},
    readBy: ['regions', 'sharing'],
  },
});
