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
import { routesOf } from '../../../http/routes.ts';
import type { Portal } from './portal.ts';
import { originOf, sessionAnswer } from './session-answer.ts';

const opened = Type.Union([PortalSession, PortalCookieSession]);

/** Long because it declares its routes one after the other. */
export function portalRoutes(app: App, { portal, cookies }: { portal: Portal; cookies: Cookies }): void {
  const route = routesOf(app, { tags: ['portal'], access: ['portal'] });

  route(
    'POST /api/portal/register',
    {
      summary: 'Register a company',
      access: 'open',
      invalidKeys: { '/email': 'account.email_invalid', '/name': 'profile.display_name_invalid' },
      body: PortalRegisterRequest,
      created: opened,
    },
    async (request, reply) => {
      const session = await portal.register(request.body, originOf(request, cookies));
      return sessionAnswer(reply, cookies, session);
    },
  );

  route(
    'POST /api/portal/sign-in',
    {
      summary: 'Sign in',
      description:
        'With the second factor on, auth.two_factor_required carries a ticket for the second step, unless the device is trusted.',
      access: 'open',
      body: PortalSignInRequest,
      ok: opened,
    },
    async (request, reply) =>
      sessionAnswer(reply, cookies, await portal.signIn(request.body, originOf(request, cookies))),
  );

  route(
    'POST /api/portal/sign-in/second-factor',
    { summary: 'Sign in: the second step', access: 'open', body: PortalSecondFactorRequest, ok: opened },
    async (request, reply) => {
      const session = await portal.signInWithSecondFactor(request.body, originOf(request, cookies));
      return sessionAnswer(reply, cookies, session);
    },
  );

  route('GET /api/portal/session', { summary: 'Who is signed in', ok: CurrentSession }, (request) =>
    portal.current(loginOf(request), request.headers.authorization === undefined),
  );

  route(
    'POST /api/portal/sign-out',
    { summary: 'End the session', role: 'viewer' },
    async (request, reply) => {
      await portal.signOut(loginOf(request), actorOf(request));
      reply.header('set-cookie', cookies.clear(SESSION_COOKIE));
    },
  );

  route(
    'GET /api/account',
    { summary: 'The company itself', tags: ['account'], access: ['portal', 'account_client'], ok: Company },
    (request) => portal.company(companyOf(request)),
  );

  // Never for a machine client: wire 5.5.
  route(
    'GET /api/account-key',
    { summary: "The company's account key", tags: ['account'], ok: AccountKey },
    (request) => portal.accountKey(companyOf(request)),
  );

  route(
    'POST /api/account-key',
    {
      summary: "The private half of the company's account key",
      description: 'It opens webhook envelopes, so the password is asked for once more.',
      tags: ['account'],
      body: AccountPrivateKeyRequest,
      ok: AccountPrivateKey,
    },
    (request) => portal.accountPrivateKey(loginOf(request), request.body.password, request.ip),
  );
}
