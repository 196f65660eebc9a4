import {
  AccountKey,
  AccountPrivateKey,
  AccountPrivateKeyRequest,
  Company,
  CurrentSession,
  type ErrorKey,
  LoginParameters,
  LoginParametersRequest,
  MailedTicket,
  PasskeySignInOptions,
  PasskeySignInRequest,
  PortalConfirmRequest,
  PortalCookieSession,
  PortalPasskeySession,
  PortalRegisterRequest,
  PortalResetConfirmRequest,
  PortalResetRequest,
  PortalSecondFactorRequest,
  PortalSession,
  PortalSignInRequest,
  RecoveredKey,
  RecoverRequest,
  RecoveryKeyRequest,
} from '@symbolon/protocol';
import { Type } from 'typebox';
import { actorOf, companyOf, loginOf } from '../../../access/callers.ts';
import { type Cookies, SESSION_COOKIE } from '../../../access/cookies.ts';
import { keyMembers } from '../../../access/key-material.ts';
import type { App } from '../../../http/app.ts';
import { proofErrors } from '../../../http/route-errors.ts';
import { routesOf } from '../../../http/routes.ts';
import type { AccountPresence, Credentials } from '../../accounts/index.ts';
import type { CompanyRegistration } from './company-registration.ts';
import type { LoginReset } from './login-reset.ts';
import type { OwnLogin } from './own-login.ts';
import type { Portal } from './portal.ts';
import { originOf, sessionAnswer } from './session-answer.ts';
import type { PortalLoginRow } from './tables.ts';

const opened = Type.Union([PortalSession, PortalCookieSession]);

const material = (parent = '', ...further: string[]) => keyMembers(parent, '/key/public_key', ...further);
const recoveryKeyMembers = (parent = ''): Record<string, ErrorKey> =>
  Object.fromEntries(
    ['', '/public_key', '/sealed', '/sealed/k', '/sealed/iv', '/sealed/d', '/sealed/_enc'].map((member) => [
      `${parent}/recovery_key${member}`,
      'account.recovery_key_invalid',
    ]),
  );

interface Rules {
  readonly portal: Portal;
  readonly companyRegistration: CompanyRegistration;
  readonly credentials: Credentials<PortalLoginRow>;
  readonly loginPresence: AccountPresence<PortalLoginRow>;
  readonly ownLogin: OwnLogin;
  readonly loginReset: LoginReset;
  readonly cookies: Cookies;
}

export function portalRoutes(app: App, rules: Rules): void {
  registrationRoutes(app, rules);
  recoveryRoutes(app, rules);
  sessionRoutes(app, rules);
  companyRoutes(app, rules);
}

function registrationRoutes(app: App, { companyRegistration, cookies }: Rules): void {
  const route = routesOf(app, { tags: ['portal'], access: 'open', limit: 'registration' });
  const accountMembers = {
    '/account/name': 'profile.display_name_invalid',
    ...material('/account'),
    ...recoveryKeyMembers('/account'),
  } as const;

  route(
    'POST /api/portal/register',
    {
      errors: [
        'account.confirmation_required',
        'account.email_invalid',
        'account.email_taken',
        'account.key_invalid',
        'account.recovery_key_invalid',
      ],
      summary: 'Register a company',
      description:
        'A code is mailed to the address, for the second step. The answer is the same for every address. With account, which only closed installations take, the company is registered at once.',
      invalidKeys: { '/email': 'account.email_invalid', ...accountMembers },
      body: PortalRegisterRequest,
      accepted: MailedTicket,
      orCreated: opened,
    },
    async (request, reply) => {
      const made = await companyRegistration.register(request.body, originOf(request, cookies));
      if ('ticket' in made) return made;
      reply.code(201);
      return sessionAnswer(reply, cookies, made);
    },
  );

  route(
    'POST /api/portal/register/confirm',
    {
      errors: ['account.code_invalid', 'account.key_invalid', 'account.recovery_key_invalid'],
      summary: 'Register a company: the second step',
      description:
        'The device makes the keys: the platform gets neither the password nor a private key it could open.',
      invalidKeys: accountMembers,
      body: PortalConfirmRequest,
      created: opened,
    },
    async (request, reply) =>
      sessionAnswer(
        reply,
        cookies,
        await companyRegistration.confirm(request.body, originOf(request, cookies)),
      ),
  );
}

function recoveryRoutes(app: App, { credentials, ownLogin, loginReset }: Rules): void {
  const route = routesOf(app, { tags: ['portal'], access: 'open' });

  route(
    'POST /api/portal/login/parameters',
    {
      summary: 'What the login secret is derived with',
      description: 'Answers for every address; whether it has a login does not show.',
      body: LoginParametersRequest,
      ok: LoginParameters,
    },
    (request) => credentials.parameters(request.body.email),
  );

  route(
    'POST /api/portal/recover/key',
    {
      errors: ['account.key_invalid', 'account.recovery_invalid', 'auth.throttled'],
      summary: 'The private key under the recovery code',
      invalidKeys: keyMembers('', '/recovery_secret'),
      body: RecoveryKeyRequest,
      ok: RecoveredKey,
    },
    async (request) => ({ encrypted_private_key: await ownLogin.recoveryKey(request.body, request.ip) }),
  );

  route(
    'POST /api/portal/recover',
    {
      errors: ['account.key_invalid', 'account.recovery_invalid', 'auth.throttled'],
      summary: 'Set a new password by the recovery code',
      description:
        'The recovery code is void afterwards; recovery is the new one. All sessions end. Sign in then, with the second factor if it is on.',
      invalidKeys: keyMembers('', '/recovery_secret'),
      body: RecoverRequest,
    },
    (request) => ownLogin.recover(request.body, request.ip),
  );

  route(
    'POST /api/portal/reset',
    {
      errors: ['account.email_invalid', 'mail.unavailable'],
      summary: 'Reset a login from before login secrets',
      description: 'A code is mailed to such logins alone. The answer is the same for every address.',
      limit: 'registration',
      invalidKeys: { '/email': 'account.email_invalid' },
      body: PortalResetRequest,
      accepted: MailedTicket,
    },
    (request) => loginReset.start(request.body.email),
  );

  route(
    'POST /api/portal/reset/confirm',
    {
      errors: [
        'account.code_invalid',
        'account.company_login_only',
        'account.key_invalid',
        'account.recovery_key_invalid',
        'account.recovery_key_required',
      ],
      summary: 'Reset a login: the second step',
      description:
        "The company's own login brings a new recovery key; what was sealed to the old one is deleted.",
      limit: 'registration',
      invalidKeys: { ...material(), ...recoveryKeyMembers() },
      body: PortalResetConfirmRequest,
    },
    (request) => loginReset.finish(request.body, request.ip),
  );
}

function sessionRoutes(app: App, { portal, loginPresence, cookies }: Rules): void {
  const route = routesOf(app, { tags: ['portal'], access: ['portal'] });

  route(
    'POST /api/portal/sign-in',
    {
      errors: [
        'account.key_invalid',
        'auth.credentials_invalid',
        'auth.throttled',
        'auth.ticket_invalid',
        'auth.two_factor_required',
      ],
      summary: 'Sign in',
      description:
        'With the second factor on, auth.two_factor_required carries a ticket for the second step, unless the device is trusted.',
      access: 'open',
      invalidKeys: keyMembers(),
      body: PortalSignInRequest,
      ok: opened,
    },
    async (request, reply) =>
      sessionAnswer(reply, cookies, await portal.signIn(request.body, originOf(request, cookies))),
  );

  route(
    'POST /api/portal/sign-in/second-factor',
    {
      errors: [
        'auth.credentials_invalid',
        'auth.second_factor_invalid',
        'auth.throttled',
        'auth.ticket_invalid',
        'auth.two_factor_required',
      ],
      summary: 'Sign in: the second step',
      access: 'open',
      body: PortalSecondFactorRequest,
      ok: opened,
    },
    async (request, reply) => {
      const session = await portal.signInWithSecondFactor(request.body, originOf(request, cookies));
      return sessionAnswer(reply, cookies, session);
    },
  );

  route(
    'POST /api/portal/sign-in/passkey/options',
    { summary: 'What a passkey signs in with', access: 'open', ok: PasskeySignInOptions },
    () => loginPresence.signInOptions(),
  );

  route(
    'POST /api/portal/sign-in/passkey',
    {
      errors: ['auth.credentials_invalid', 'auth.passkey_invalid', 'auth.throttled', 'auth.ticket_invalid'],
      summary: 'Sign in with a passkey',
      description:
        'No address and no second factor: the passkey knows its login and verifies its user. encrypted_private_key is wrapped for this passkey, or null.',
      access: 'open',
      body: PasskeySignInRequest,
      ok: PortalPasskeySession,
    },
    async (request, reply) =>
      sessionAnswer(reply, cookies, await portal.signInWithPasskey(request.body, originOf(request, cookies))),
  );

  route(
    'GET /api/portal/session',
    { summary: 'Who is signed in', withoutSecondFactor: true, ok: CurrentSession },
    (request) => portal.current(loginOf(request), request.headers.authorization === undefined),
  );

  route(
    'POST /api/portal/sign-out',
    {
      errors: ['account.session_not_found'],
      summary: 'End the session',
      role: 'viewer',
      withoutSecondFactor: true,
    },
    async (request, reply) => {
      await portal.signOut(loginOf(request), actorOf(request));
      reply.header('set-cookie', cookies.clear(SESSION_COOKIE));
    },
  );
}

function companyRoutes(app: App, { portal }: Rules): void {
  const route = routesOf(app, { tags: ['portal'], access: ['portal'] });

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
      errors: [...proofErrors],
      summary: "The private half of the company's account key",
      description:
        'An encrypted PEM. It opens webhook envelopes, so the login secret is asked for once more.',
      tags: ['account'],
      role: 'admin',
      invalidKeys: keyMembers(),
      body: AccountPrivateKeyRequest,
      ok: AccountPrivateKey,
    },
    (request) => portal.accountPrivateKey(loginOf(request), request.body, actorOf(request)),
  );
}
