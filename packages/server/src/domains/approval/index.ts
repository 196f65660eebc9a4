import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { PersonConnection, PersonConsent } from '@symbolon/protocol';
import type { Outbox } from '../../events/outbox.ts';
import type { PersonSignals } from '../../events/person-signals.ts';
import type { Notices, Presence } from '../accounts/index.ts';
import type { SignInApps } from '../clients/index.ts';
import { type Core, combine } from '../domain.ts';
import type { Audit, Maintenance, OperatorActs, ServiceLogs } from '../operations/index.ts';
import type { PluginSpecs } from '../plugins/index.ts';
import type { Consents, PersonConnections } from '../sharing/index.ts';
import { createChallenges } from './challenges/index.ts';
import { createConsent } from './consent/index.ts';
import { claimPluginUses } from './consent/plugin-uses.ts';
import { Enrolments } from './enrolments/enrolments.ts';
import { enrolmentRoutes } from './enrolments/routes.ts';
import { enrolmentTables } from './enrolments/tables.ts';
import { createPluginPass } from './plugin-pass/index.ts';
import { createSignIns } from './sign-ins.ts';

export type { ChallengedAct, ProvingChallenges } from './challenges/proving-challenges.ts';
export type { Enrolments, NewEnrolment } from './enrolments/enrolments.ts';
export type { SigningKeys } from './signing-keys/signing-keys.ts';
export type { Codes } from './tokens/codes.ts';
export type { Grant, PlaintextClaims } from './tokens/grant.ts';

interface Needs {
  readonly outbox: Outbox;
  readonly logs: ServiceLogs;
  readonly notices: Notices;
  readonly maintenance: Maintenance;
  readonly presence: Presence;
  readonly personSignals: PersonSignals;
  readonly audit: Audit;
  readonly registry: FieldTypeRegistry;
  readonly signInApps: SignInApps;
  readonly personConnections: PersonConnections;
  readonly personConsents: Consents<PersonConnection, PersonConsent>;
  readonly acts: OperatorActs;
  readonly pluginSpecs: PluginSpecs;
}

/** What people approve: logins of services that they enrolled with, and sign-ins at apps. */
export function createApproval(core: Core, needs: Needs) {
  const signIns = createSignIns(core, needs);
  const challenges = createChallenges(core, needs);
  const pending = challenges.answers;
  const enrolments = new Enrolments({ ...core, ...needs, pending });
  const consent = createConsent(core, { ...needs, ...signIns, enrolments });
  const { signingKeys, codeGrants } = signIns;
  return {
    ...signIns,
    enrolments,
    outcomes: challenges.outcomes,
    provingChallenges: challenges.provingChallenges,
    fills: { codeGrants, signingKeys, deletedChallenges: challenges.deletedChallenges },
    domain: combine(
      {
        tables: enrolmentTables,
        routes: (app) => enrolmentRoutes(app, { ...needs, enrolments }),
        endsWith: [{ person: enrolments }],
      },
      challenges.domain,
      signIns.domain,
      consent.domain,
      createPluginPass({ ...core, ...needs, ...consent }),
      { pluginUses: [claimPluginUses(core)] },
    ),
  };
}
