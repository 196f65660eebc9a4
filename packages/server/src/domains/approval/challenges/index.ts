import type { Outbox } from '../../../events/outbox.ts';
import type { PersonSignals } from '../../../events/person-signals.ts';
import type { Notices, Presence } from '../../accounts/index.ts';
import { type Core, type Domain, expirySweep } from '../../domain.ts';
import type { Audit, Maintenance, ServiceLogs } from '../../operations/index.ts';
import { Answers } from './answers.ts';
import { Challenges } from './challenges.ts';
import { DeletedChallenges } from './deleted-challenges.ts';
import { Outcomes } from './outcomes.ts';
import { PollLimits } from './poll-limits.ts';
import { ProvingChallenges } from './proving-challenges.ts';
import { challengeRoutes } from './routes.ts';
import { challengeTables } from './tables.ts';

/** Challenges are kept for a day after their end: until then a poll learns that the outcome was delivered. */
const KEPT_MS = 24 * 60 * 60_000;

/** Services ask people to approve, people answer, services learn the outcome. */
export function createChallenges(
  core: Core,
  needs: {
    outbox: Outbox;
    logs: ServiceLogs;
    audit: Audit;
    notices: Notices;
    maintenance: Maintenance;
    presence: Presence;
    personSignals: PersonSignals;
  },
) {
  const challenges = new Challenges({ ...core, ...needs });
  const answers = new Answers({ ...core, ...needs });
  const outcomes = new Outcomes({ ...core, ...needs });
  const pollLimits = new PollLimits(core);
  const domain: Domain = {
    tables: challengeTables,
    routes: (app) => challengeRoutes(app, { ...needs, challenges, answers, outcomes, pollLimits }),
    sweeps: [expirySweep(core, 'challenges', { table: 'two_factor_challenges', keptMs: KEPT_MS })],
    stop: () => outcomes.stop(),
  };
  const deletedChallenges = new DeletedChallenges({ ...core, ...needs });
  return { answers, outcomes, deletedChallenges, provingChallenges: new ProvingChallenges(core), domain };
}
