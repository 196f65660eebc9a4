import {
  AcceptInvitationRequest,
  Delegate,
  DelegateList,
  DelegateRoleRequest,
  Invitation,
  InvitationRequest,
  InviteDelegateRequest,
  PortalCookieSession,
  PortalSession,
} from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { actorOf, companyOf } from '../../../access/callers.ts';
import type { Cookies } from '../../../access/cookies.ts';
import { keyMembers } from '../../../access/key-material.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import { originOf, sessionAnswer } from '../portal/session-answer.ts';
import type { Delegates, Manager } from './delegates.ts';

export function delegateRoutes(
  app: App,
  { delegates, cookies }: { delegates: Delegates; cookies: Cookies },
): void {
  const route = routesOf(app, { tags: ['delegates'], access: ['portal', 'account_client'] });

  route(
    'GET /api/delegates',
    { summary: 'List the people of the company', ok: DelegateList },
    async (request) => ({ items: await delegates.list(companyOf(request)) }),
  );

  route(
    'POST /api/delegates',
    {
      errors: [
        'account.email_invalid',
        'delegates.exists',
        'delegates.limit_reached',
        'mail.refused',
        'mail.unavailable',
      ],
      summary: 'Invite somebody by mail',
      role: 'admin',
      body: InviteDelegateRequest,
      created: Delegate,
    },
    (request) => delegates.invite(managerOf(request), request.body),
  );

  route(
    'GET /api/delegates/:id',
    { errors: ['delegates.not_found'], summary: 'Read about somebody', ok: Delegate },
    (request) => delegates.get(companyOf(request), request.params.id),
  );

  route(
    'PUT /api/delegates/:id',
    {
      errors: ['delegates.last_owner', 'delegates.not_found'],
      summary: 'Change a role',
      role: 'admin',
      body: DelegateRoleRequest,
      ok: Delegate,
    },
    (request) => delegates.setRole(managerOf(request), request.params.id, request.body.role),
  );

  route(
    'DELETE /api/delegates/:id',
    {
      errors: ['delegates.last_owner', 'delegates.not_found'],
      summary: 'Remove somebody, or take an invitation back',
      role: 'admin',
    },
    (request) => delegates.remove(managerOf(request), request.params.id),
  );

  route(
    'POST /api/delegates/:id/resend',
    {
      errors: ['delegates.accepted', 'delegates.not_found'],
      summary: 'Mail an invitation once more',
      role: 'admin',
      ok: Delegate,
    },
    (request) => delegates.resend(managerOf(request), request.params.id),
  );

  // The token comes in a body, so that it is not logged.
  route(
    'POST /api/portal/invitation',
    {
      errors: ['delegates.invitation_invalid'],
      summary: 'Read an invitation',
      tags: ['portal'],
      access: 'open',
      body: InvitationRequest,
      ok: Invitation,
    },
    (request) => delegates.invitation(request.body.token),
  );

  route(
    'POST /api/portal/invitation/accept',
    {
      errors: [
        'account.email_taken',
        'account.key_invalid',
        'auth.credentials_invalid',
        'auth.ticket_invalid',
        'delegates.invitation_invalid',
        'profile.display_name_invalid',
      ],
      summary: 'Accept an invitation',
      tags: ['portal'],
      access: 'open',
      invalidKeys: { '/name': 'profile.display_name_invalid', ...keyMembers('', '/key/public_key') },
      body: AcceptInvitationRequest,
      created: Type.Union([PortalSession, PortalCookieSession]),
    },
    async (request, reply) => {
      const session = await delegates.accept(request.body, originOf(request, cookies));
      return sessionAnswer(reply, cookies, session);
    },
  );
}

/** An account client acts as the company, with the rights of an admin. */
function managerOf(request: FastifyRequest): Manager {
  const { principal } = request;
  return {
    companyId: companyOf(request),
    role: principal?.kind === 'portal' ? principal.role : 'admin',
    actor: actorOf(request),
  };
}
