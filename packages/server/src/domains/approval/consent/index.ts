import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { PersonConnection, PersonConsent } from '@symbolon/protocol';
import { deleteExpired } from '../../../db/expired-rows.ts';
import type { SignInApps } from '../../clients/index.ts';
import type { Core, Domain } from '../../domain.ts';
import type { Audit } from '../../operations/index.ts';
import type { Consents, PersonConnections } from '../../sharing/index.ts';
import type { Codes } from '../tokens/index.ts';
import { ConsentDecisions } from './decisions.ts';
import { type ConsentEnrolments, ConsentRequests } from './requests.ts';
import { consentRoutes } from './routes.ts';
import { SignIns } from './sign-in-log.ts';
import { consentTables } from './tables.ts';

/** After its end a request is kept so long: who polls hears that it has expired. */
const KEPT_MS = 3_600_000;

/** The consent page's requests, and what people decide about them. */
export function createConsent(
  core: Core,
  needs: {
    audit: Audit;
    codes: Codes;
    enrolments: ConsentEnrolments;
    registry: FieldTypeRegistry;
    signInApps: SignInApps;
    personConnections: PersonConnections;
    personConsents: Consents<PersonConnection, PersonConsent>;
  },
): Domain {
  const requests = new ConsentRequests({ ...core, ...needs });
  const decisions = new ConsentDecisions({ ...core, ...needs, requests });
  const signIns = new SignIns({ ...core, ...needs });
  return {
    tables: consentTables,
    routes: (app) => consentRoutes(app, { ...core, requests, decisions, signIns }),
    sweeps: [
      {
        name: 'consent requests',
        run: (stopping) =>
          deleteExpired(core, { table: 'consent_requests', until: core.clock.now() - KEPT_MS }, stopping),
      },
      { name: 'sign-in log', run: (stopping) => deleteExpired(core, { table: 'sign_in_log' }, stopping) },
    ],
  };
}
