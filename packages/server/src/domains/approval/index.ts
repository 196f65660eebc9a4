import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { PersonConnection, PersonConsent } from '@symbolon/protocol';
import type { Outbox } from '../../events/outbox.ts';
import type { Notices, PersonSignals, Presence } from '../accounts/index.ts';
import type { SignInApps } from '../clients/index.ts';
import { type Core, combine } from '../domain.ts';
import type { Audit, Maintenance, OperatorActs, ServiceLogs } from '../operations/index.ts';
import type { PluginSpecs } from '../plugins/index.ts';
import type { Consents, PersonConnections } from '../sharing/index.ts';
import { createChallenges } from './challenges/index.ts';
import { claimPluginUses, createConsent } from './consent/index.ts';
import { createEnrolments } from './enrolments/index.ts';
import { createPluginPass } from './plugin-pass/index.ts';
import { createSignIns } from './sign-ins.ts';

export type { ChallengedAct, ProvingChallenges } from './challenges/index.ts';
export type { Enrolments, NewEnrolment } from './enrolments/index.ts';
export type { SigningKeys } from './signing-keys/index.ts';
export type { Codes, Grant, PlaintextClaims } from './tokens/index.ts';

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
  const { enrolments, domain: enrolling } = createEnrolments(core, {
    ...needs,
    pending: challenges.answers,
  });
  const consent = createConsent(core, { ...needs, ...signIns, enrolments });
  const { signingKeys, codeGrants } = signIns;
  return {
    ...signIns,
    enrolments,
    outcomes: challenges.outcomes,
    provingChallenges: challenges.provingChallenges,
    fills: { codeGrants, signingKeys, deletedChallenges: challenges.deletedChallenges },
    domain: combine(
      enrolling,
      challenges.domain,
      signIns.domain,
      consent.domain,
      createPluginPass({ ...core, ...needs, ...consent }),
      { endsWith: [{ person: enrolments }], pluginUses: [claimPluginUses(core)] },
    ),
  };
}
