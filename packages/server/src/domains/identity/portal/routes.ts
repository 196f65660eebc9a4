import {
  AccountKey,
  AccountPrivateKey,
  AccountPrivateKeyRequest,
  Company,
  CurrentSession,
  PortalCookieSession,
  PortalRegisterRequest,
  PortalSecondFactorRequest,
  PortalSession,
  PortalSignInRequest,
} from '@symbolon/protocol';
import { Type } from 'typebox';
import { actorOf, companyOf, loginOf } from '../../../access/callers.ts';
import { type Cookies, SESSION_COOKIE } from '../../../access/cookies.ts';
import type { App } from '../../../http/app.ts';
import type { Portal } from './portal.ts';
import { originOf, sessionAnswer } from './session-answer.ts';

const opened = Type.Union([PortalSession, PortalCookieSession]);

export function portalRoutes(app: App, { portal, cookies }: { portal: Portal; cookies: Cookies }): void {
  app.post(
    '/api/portal/register',
    {
      config: { access: 'open', invalidKeys: { '/email': 'account.email_invalid' } },
      schema: {
        tags: ['portal'],
        summary: 'Register a company',
        body: PortalRegisterRequest,
        response: { 201: opened },
      },
    },
    async (request, reply) => {
      const session = await portal.register(request.body, originOf(request, cookies));
      return reply.code(201).send(sessionAnswer(reply, cookies, session));
    },
  );

  app.post(
    '/api/portal/sign-in',
    {
      config: { access: 'open' },
      schema: {
        tags: ['portal'],
        summary: 'Sign in',
        description:
          'With the second factor on, auth.two_factor_required carries a ticket for the second step, unless the device is trusted.',
        body: PortalSignInRequest,
        response: { 200: opened },
      },
    },
    async (request, reply) =>
      sessionAnswer(reply, cookies, await portal.signIn(request.body, originOf(request, cookies))),
  );

  app.post(
    '/api/portal/sign-in/second-factor',
    {
      config: { access: 'open' },
      schema: {
        tags: ['portal'],
        summary: 'Sign in: the second step',
        body: PortalSecondFactorRequest,
        response: { 200: opened },
      },
    },
    async (request, reply) => {
      const session = await portal.signInWithSecondFactor(request.body, originOf(request, cookies));
      return sessionAnswer(reply, cookies, session);
    },
  );

  app.get(
    '/api/portal/session',
    {
      config: { access: ['portal'] },
      schema: { tags: ['portal'], summary: 'Who is signed in', response: { 200: CurrentSession } },
    },
    async (request, reply) => {
      const byCookie = request.headers.authorization === undefined;
      return reply.header(...NO_STORE).send(await portal.current(loginOf(request), byCookie));
    },
  );

  app.post(
    '/api/portal/sign-out',
    {
      config: { access: ['portal'], role: 'viewer' },
      schema: { tags: ['portal'], summary: 'End the session', response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await portal.signOut(loginOf(request), actorOf(request));
      return reply.header('set-cookie', cookies.clear(SESSION_COOKIE)).code(204).send(null);
    },
  );

  app.get(
    '/api/account',
    {
      config: { access: ['portal', 'account_client'] },
      schema: { tags: ['account'], summary: 'The company itself', response: { 200: Company } },
    },
    async (request) => portal.company(companyOf(request)),
  );

  // Never for a machine client: wire 5.5.
  app.get(
    '/api/account-key',
    {
      config: { access: ['portal'] },
      schema: { tags: ['account'], summary: "The company's account key", response: { 200: AccountKey } },
    },
    async (request, reply) => reply.header(...NO_STORE).send(await portal.accountKey(companyOf(request))),
  );

  app.post(
    '/api/account-key',
    {
      config: { access: ['portal'] },
      schema: {
        tags: ['account'],
        summary: "The private half of the company's account key",
        description: 'It opens webhook envelopes, so the password is asked for once more.',
        body: AccountPrivateKeyRequest,
        response: { 200: AccountPrivateKey },
      },
    },
    async (request, reply) => {
      const { password } = request.body;
      const key = await portal.accountPrivateKey(loginOf(request), password, request.ip);
      return reply.header(...NO_STORE).send(key);
    },
  );
}

const NO_STORE = ['cache-control', 'no-store'] as const;
