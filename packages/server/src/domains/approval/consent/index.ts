import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { PersonConnection, PersonConsent } from '@symbolon/protocol';
import type { Presence } from '../../accounts/index.ts';
import type { SignInApps } from '../../clients/index.ts';
import { type Core, type Domain, expirySweep } from '../../domain.ts';
import type { Audit, Maintenance } from '../../operations/index.ts';
import type { PluginSpecs } from '../../plugins/index.ts';
import type { Consents, PersonConnections } from '../../sharing/index.ts';
import type { Codes } from '../tokens/codes.ts';
import { DecisionLimits } from './decision-limits.ts';
import { ConsentDecisions } from './decisions.ts';
import { type ConsentEnrolments, ConsentRequests } from './requests.ts';
import { ResultLimits } from './result-limits.ts';
import { resultRoutes } from './result-routes.ts';
import { DetachedResults } from './results.ts';
import { consentRoutes } from './routes.ts';
import { SignIns } from './sign-in-log.ts';
import { consentTables, placeOfResult } from './tables.ts';

/** After its end a request is kept so long: who polls hears that it has expired. */
const KEPT_MS = 3_600_000;

/** The consent page's requests, and what people decide about them. */
export function createConsent(
  core: Core,
  needs: {
    audit: Audit;
    maintenance: Maintenance;
    codes: Codes;
    presence: Presence;
    enrolments: ConsentEnrolments;
    registry: FieldTypeRegistry;
    signInApps: SignInApps;
    personConnections: PersonConnections;
    personConsents: Consents<PersonConnection, PersonConsent>;
    pluginSpecs: PluginSpecs;
  },
): { readonly consentRequests: ConsentRequests; readonly domain: Domain } {
  const requests = new ConsentRequests({ ...core, ...needs });
  const decisions = new ConsentDecisions({
    ...core,
    ...needs,
    requests,
    limits: new DecisionLimits(core),
  });
  const results = new DetachedResults({
    ...core,
    ...needs,
    requests,
    limits: new ResultLimits(core),
    decrypt: (row, result) => core.secrets.decrypt(result, placeOfResult(row)).toString(),
  });
  const signIns = new SignIns({ ...core, ...needs });
  const domain: Domain = {
    tables: consentTables,
    routes(app) {
      consentRoutes(app, { ...core, ...needs, requests, decisions, signIns });
      resultRoutes(app, { results });
    },
    sweeps: [
      expirySweep(core, 'consent requests', { table: 'consent_requests', keptMs: KEPT_MS }),
      expirySweep(core, 'sign-in log', 'sign_in_log'),
    ],
    stop: () => results.stop(),
  };
  return { consentRequests: requests, domain };
}
