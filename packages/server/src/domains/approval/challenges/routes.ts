import {
  ApproveChallengeRequest,
  Challenge,
  ChallengeDecided,
  ChallengeRequest,
  ChallengeResult,
  DenyChallengeRequest,
  TwoFactorCard,
  TwoFactorCardList,
} from '@symbolon/protocol';
import { dataClientOf, personOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { listOf } from '../../../http/federated.ts';
import { followHandover } from '../../../http/handed-over.ts';
import { proofErrors } from '../../../http/route-errors.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Presence } from '../../accounts/index.ts';
import type { Answers } from './answers.ts';
import { approvalOf, type Challenges } from './challenges.ts';
import type { Outcomes } from './outcomes.ts';
import type { PollLimits } from './poll-limits.ts';

interface Deps {
  readonly challenges: Challenges;
  readonly answers: Answers;
  readonly outcomes: Outcomes;
  readonly pollLimits: PollLimits;
  readonly presence: Presence;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one route after the other
export function challengeRoutes(app: App, deps: Deps): void {
  const { challenges, answers, outcomes, pollLimits, presence } = deps;
  const service = routesOf(app, {
    tags: ['second factor'],
    access: ['data_client'],
    unavailableKey: 'twofa.unavailable',
  });

  service(
    'POST /api/service-2fa/challenges',
    {
      errors: [
        'twofa.context_too_long',
        'twofa.idempotency_key_required',
        'twofa.not_enrolled',
        'twofa.pending_cap',
        'twofa.share_code_required',
      ],
      summary: 'Ask an enrolled person',
      description:
        'The same idempotency_key for the same person gives the same challenge as long as that lives. A person who is asked too often, or wants to hear nothing, is `429 twofa.pending_cap`: repeating the call does not help before the seconds in `retry_after`. It is there after a denial, when `reason` is `quiet_time`, and while the service waits for the person itself, until the oldest of that is over.',
      looksUp: 'twofa.not_enrolled',
      invalidKeys: {
        '/share_code': 'twofa.share_code_required',
        '/idempotency_key': 'twofa.idempotency_key_required',
        '/context': 'twofa.context_too_long',
      },
      body: ChallengeRequest,
      created: Challenge,
    },
    (request) => challenges.create(dataClientOf(request), request.body),
  );

  service(
    'GET /api/service-2fa/challenges/:id',
    {
      errors: ['twofa.not_found', 'twofa.result_consumed', 'twofa.unavailable'],
      summary: 'What became of a challenge',
      description:
        'An outcome is told once: the poll that reads it uses it up, and later ones are `410 twofa.result_consumed`. A login is granted on `approved` alone: whoever lost the answer, as by a crash, asks again with a new challenge.',
      // A poll takes the outcome away.
      drains: true,
      limit: 'own',
      ok: ChallengeResult,
    },
    async (request, reply) => {
      const caller = dataClientOf(request);
      const { id } = request.params;
      await pollLimits.count(caller.clientId, id, () => outcomes.exists(caller, id));
      const { result, handover } = await outcomes.poll(caller, id);
      if (handover !== undefined) await followHandover(reply.raw, handover);
      return result;
    },
  );

  const person = routesOf(app, { tags: ['second factor'], access: ['person'] });
  const path = '/api/person/two-factor/challenges';
  const byId = { federated: { by: 'id', missing: 'twofa.not_found' } } as const;

  person(
    `GET ${path}`,
    {
      summary: 'What services ask this person now, oldest first',
      federated: { by: 'list', list: listOf<TwoFactorCard>('challenges', (card) => card.challenge_id) },
      ok: TwoFactorCardList,
    },
    (request) => challenges.cards(personOf(request)),
  );

  person(
    `GET ${path}/:id`,
    { errors: ['twofa.not_found'], summary: 'One of them', ...byId, ok: TwoFactorCard },
    (request) => challenges.card(personOf(request), request.params.id),
  );

  person(
    `POST ${path}/:id/approve`,
    {
      errors: [
        ...proofErrors,
        'twofa.digits_required',
        'twofa.digits_wrong',
        'twofa.not_found',
        'twofa.not_pending',
        'twofa.number_matching_required',
      ],
      summary: 'Approve, with a proof of presence and the digits in one act',
      description:
        'The act of the proof is `approve challenge <challenge_id>`. With number matching nothing is approved without the digits that the service shows; the third wrong entry denies. A service with require_2fa takes no login secret alone.',
      ...byId,
      body: ApproveChallengeRequest,
      ok: ChallengeDecided,
    },
    async (request) => {
      const { id } = request.params;
      const { proof, digits } = request.body;
      // Whether it is strong enough is known where the challenge is.
      const proven = await presence.presenceOf(request, approvalOf(id), proof, { strong: false });
      return answers.approve(personOf(request), id, { digits, proven });
    },
  );

  person(
    `POST ${path}/:id/deny`,
    {
      errors: ['twofa.not_found', 'twofa.not_pending'],
      summary: 'Deny',
      description: 'With not_me the service is told that the person did not start this login.',
      ...byId,
      body: DenyChallengeRequest,
      ok: ChallengeDecided,
    },
    (request) => answers.deny(personOf(request), request.params.id, request.body.not_me === true),
  );
}
