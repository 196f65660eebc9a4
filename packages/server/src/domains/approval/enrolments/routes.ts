import {
  MuteRequest,
  RevokeEnrollmentRequest,
  TwoFactorEnrollment,
  TwoFactorEnrollmentList,
} from '@symbolon/protocol';
import { personOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { listOf } from '../../../http/federated.ts';
import { proofErrors } from '../../../http/route-errors.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Presence } from '../../accounts/index.ts';
import type { Enrolments } from './enrolments.ts';

const list = listOf<TwoFactorEnrollment>('enrollments', (enrolment) => enrolment.enrollment_id);
const byId = { federated: { by: 'id', missing: 'twofa.enrollment_not_found' } } as const;

export function enrolmentRoutes(
  app: App,
  { enrolments, presence }: { enrolments: Enrolments; presence: Presence },
): void {
  const route = routesOf(app, { tags: ['second factor'], access: ['person'] });
  const path = '/api/person/two-factor/enrollments';

  route(
    `GET ${path}`,
    {
      summary: 'Which services may ask this person, oldest first',
      federated: { by: 'list', list },
      ok: TwoFactorEnrollmentList,
    },
    (request) => enrolments.list(personOf(request)),
  );

  route(
    `DELETE ${path}/:id`,
    {
      errors: [...proofErrors, 'twofa.enrollment_not_found'],
      summary: 'Revoke an enrolment',
      description:
        'The act of the proof is `revoke enrolment <enrollment_id>`. What the service asks now is revoked.',
      ...byId,
      body: RevokeEnrollmentRequest,
    },
    async (request) => {
      const { id } = request.params;
      await presence.presenceOf(request, `revoke enrolment ${id}`, request.body.proof, { strong: false });
      await enrolments.revoke(personOf(request), id);
    },
  );

  route(
    `PUT ${path}/:id/mute`,
    {
      errors: ['twofa.enrollment_not_found'],
      summary: 'Mute a service, or end that',
      description: 'What a muted service asks now is revoked, and it can ask nothing further.',
      ...byId,
      body: MuteRequest,
      ok: TwoFactorEnrollment,
    },
    (request) => enrolments.setMuted(personOf(request), request.params.id, request.body.muted),
  );
}
