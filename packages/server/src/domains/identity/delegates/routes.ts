import {
  AcceptInvitationRequest,
  Delegate,
  DelegateList,
  DelegateRoleRequest,
  Id,
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
import type { App } from '../../../http/app.ts';
import { originOf, sessionAnswer } from '../portal/session-answer.ts';
import type { Delegates, Manager } from './delegates.ts';

const access = ['portal', 'account_client'] as const;
const managing = { access, role: 'admin' } as const;
const params = Type.Object({ id: Id });
const tags = ['delegates'];

export function delegateRoutes(
  app: App,
  { delegates, cookies }: { delegates: Delegates; cookies: Cookies },
): void {
  app.get(
    '/api/delegates',
    {
      config: { access },
      schema: { tags, summary: 'List the people of the company', response: { 200: DelegateList } },
    },
    async (request) => ({ items: await delegates.list(companyOf(request)) }),
  );

  app.post(
    '/api/delegates',
    {
      config: managing,
      schema: {
        tags,
        summary: 'Invite somebody by mail',
        body: InviteDelegateRequest,
        response: { 201: Delegate },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await delegates.invite(managerOf(request as FastifyRequest), request.body)),
  );

  app.get(
    '/api/delegates/:id',
    {
      config: { access },
      schema: { tags, summary: 'Read about somebody', params, response: { 200: Delegate } },
    },
    async (request) => delegates.get(companyOf(request as FastifyRequest), request.params.id),
  );

  app.put(
    '/api/delegates/:id',
    {
      config: managing,
      schema: {
        tags,
        summary: 'Change a role',
        params,
        body: DelegateRoleRequest,
        response: { 200: Delegate },
      },
    },
    async (request) =>
      delegates.setRole(managerOf(request as FastifyRequest), request.params.id, request.body.role),
  );

  app.delete(
    '/api/delegates/:id',
    {
      config: managing,
      schema: {
        tags,
        summary: 'Remove somebody, or take an invitation back',
        params,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await delegates.remove(managerOf(request as FastifyRequest), request.params.id);
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/api/delegates/:id/resend',
    {
      config: managing,
      schema: { tags, summary: 'Mail an invitation once more', params, response: { 200: Delegate } },
    },
    async (request) => delegates.resend(managerOf(request as FastifyRequest), request.params.id),
  );

  // Whoever holds the token of a mail: it comes in a body, and so in no log.
  app.post(
    '/api/portal/invitation',
    {
      config: { access: 'open' },
      schema: {
        tags: ['portal'],
        summary: 'Read an invitation',
        body: InvitationRequest,
        response: { 200: Invitation },
      },
    },
    async (request) => delegates.invitation(request.body.token),
  );

  app.post(
    '/api/portal/invitation/accept',
    {
      config: { access: 'open' },
      schema: {
        tags: ['portal'],
        summary: 'Accept an invitation',
        body: AcceptInvitationRequest,
        response: { 201: Type.Union([PortalSession, PortalCookieSession]) },
      },
    },
    async (request, reply) => {
      const session = await delegates.accept(request.body, originOf(request as FastifyRequest, cookies));
      return reply.code(201).send(sessionAnswer(reply, cookies, session));
    },
  );
}

/** An account client acts as the company, but it is given no more than an admin has. */
function managerOf(request: FastifyRequest): Manager {
  const { principal } = request;
  return {
    companyId: companyOf(request),
    role: principal?.kind === 'portal' ? principal.role : 'admin',
    actor: actorOf(request),
  };
}
