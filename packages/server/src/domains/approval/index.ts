import type { Outbox } from '../../events/outbox.ts';
import { type Core, combine } from '../domain.ts';
import type { Notices } from '../identity/index.ts';
import type { Maintenance, ServiceLogs } from '../operations/index.ts';
import { createChallenges } from './challenges/index.ts';
import { createEnrolments } from './enrolments/index.ts';
import type { DeviceSignals } from './ports.ts';
import { createSignInTokens } from './tokens/index.ts';

export type { Enrolments, NewEnrolment } from './enrolments/index.ts';

interface Needs {
  readonly outbox: Outbox;
  readonly logs: ServiceLogs;
  readonly notices: Notices;
  readonly maintenance: Maintenance;
}

/** What people approve: logins of services that they enrolled with, and sign-ins at apps. */
export function createApproval(core: Core, needs: Needs) {
  // No device listens yet: pages ask from time to time.
  const signals: DeviceSignals = { tell() {} };
  const challenges = createChallenges(core, { ...needs, signals });
  const { enrolments, domain: enrolling } = createEnrolments(core, { pending: challenges.answers });
  const tokens = createSignInTokens(core);
  return { ...tokens, enrolments, domain: combine(enrolling, challenges.domain, tokens.domain) };
}
