import { ProofRequest } from '@symbolon/protocol';
import { personOf } from '../../../access/callers.ts';
import { type Cookies, PERSON_COOKIE } from '../../../access/cookies.ts';
import { keyMembers } from '../../../access/key-material.ts';
import type { App } from '../../../http/app.ts';
import { proofErrors } from '../../../http/route-errors.ts';
import { routesOf } from '../../../http/routes.ts';
import type { PersonDeletion } from './person-deletion.ts';

export function personDeletionRoutes(
  app: App,
  { personDeletion, cookies }: { personDeletion: PersonDeletion; cookies: Cookies },
): void {
  const route = routesOf(app, { tags: ['person'], access: ['person'] });

  route(
    'DELETE /api/person',
    {
      errors: [...proofErrors],
      summary: 'Delete your account',
      description:
        'At once and for good: tokens and sessions end, every connection ends, pending second-factor challenges are revoked, and fields and keys are deleted. The address may be registered again; the share code is never given to anybody else.',
      invalidKeys: keyMembers(),
      body: ProofRequest,
    },
    async (request, reply) => {
      await personDeletion.delete(personOf(request), request.body, request.ip);
      reply.header('set-cookie', cookies.clear(PERSON_COOKIE));
    },
  );
}
