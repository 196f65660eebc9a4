import {
  ChangePasswordRequest,
  LoginParameters,
  LoginParametersRequest,
  MailedTicket,
  PersonConfirmRequest,
  PersonLoginRequest,
  PersonRecoverRequest,
  PersonRecoveryCodeRequest,
  PersonRegisterRequest,
  PersonSecondFactorRequest,
  RecoveredKey,
  RecoveryKeyRequest,
} from '@symbolon/protocol';
import { personOf } from '../../../access/callers.ts';
import type { Cookies } from '../../../access/cookies.ts';
import { keyMembers } from '../../../access/key-material.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import { entered, enteredAnswer, entranceOf } from './entrance.ts';
import type { People } from './people.ts';

const accountMembers = {
  '/account/display_name': 'profile.display_name_invalid',
  ...keyMembers('/account', '/public_key'),
} as const;

/** Long because it declares its routes one after the other. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one route after the other
export function peopleRoutes(app: App, { people, cookies }: { people: People; cookies: Cookies }): void {
  const route = routesOf(app, { tags: ['person'], access: ['person'] });

  route(
    'POST /api/person/register',
    {
      errors: [
        'account.confirmation_required',
        'account.email_invalid',
        'account.email_taken',
        'account.key_invalid',
        'mail.unavailable',
        'profile.display_name_invalid',
      ],
      summary: 'Register a person',
      description:
        'A code is mailed to the address, for the second step. The answer is the same for every address. With account, which only closed installations take, the person is registered at once.',
      access: 'open',
      limit: 'registration',
      invalidKeys: { '/email': 'account.email_invalid', ...accountMembers },
      body: PersonRegisterRequest,
      accepted: MailedTicket,
      orCreated: entered,
    },
    async (request, reply) => {
      const made = await people.register(request.body, entranceOf(request));
      if ('ticket' in made) return made;
      reply.code(201);
      return enteredAnswer(reply, cookies, made);
    },
  );

  route(
    'POST /api/person/register/confirm',
    {
      errors: ['account.code_invalid', 'account.key_invalid', 'profile.display_name_invalid'],
      summary: 'Register a person: the second step',
      description:
        'The device makes the keys: the platform gets neither the password nor a private key it could open.',
      access: 'open',
      limit: 'registration',
      invalidKeys: accountMembers,
      body: PersonConfirmRequest,
      created: entered,
    },
    async (request, reply) =>
      enteredAnswer(reply, cookies, await people.confirmRegistration(request.body, entranceOf(request))),
  );

  route(
    'POST /api/person/login/parameters',
    {
      summary: 'What the login secret is derived with',
      description: 'Answers for every address; whether somebody is registered does not show.',
      access: 'open',
      body: LoginParametersRequest,
      ok: LoginParameters,
    },
    (request) => people.loginParameters(request.body.email),
  );

  route(
    'POST /api/person/login',
    {
      errors: [
        'account.key_invalid',
        'auth.credentials_invalid',
        'auth.throttled',
        'auth.two_factor_required',
      ],
      summary: 'Sign in',
      access: 'open',
      invalidKeys: keyMembers(),
      description:
        'With the second factor on, auth.two_factor_required carries a ticket for the second step.',
      body: PersonLoginRequest,
      ok: entered,
    },
    async (request, reply) =>
      enteredAnswer(reply, cookies, await people.login(request.body, entranceOf(request))),
  );

  route(
    'POST /api/person/login/second-factor',
    {
      errors: [
        'auth.second_factor_invalid',
        'auth.throttled',
        'auth.ticket_invalid',
        'auth.two_factor_required',
      ],
      summary: 'Sign in: the second step',
      access: 'open',
      body: PersonSecondFactorRequest,
      ok: entered,
    },
    async (request, reply) =>
      enteredAnswer(reply, cookies, await people.loginWithSecondFactor(request.body, entranceOf(request))),
  );

  route(
    'POST /api/person/recover/key',
    {
      errors: ['account.key_invalid', 'account.recovery_invalid', 'auth.throttled'],
      summary: 'The private key under the recovery code',
      access: 'open',
      invalidKeys: keyMembers('', '/recovery_secret'),
      body: RecoveryKeyRequest,
      ok: RecoveredKey,
    },
    async (request) => ({ encrypted_private_key: await people.recoveryKey(request.body, request.ip) }),
  );

  route(
    'POST /api/person/recover',
    {
      errors: [
        'account.key_invalid',
        'account.recovery_invalid',
        'auth.second_factor_invalid',
        'auth.throttled',
        'auth.two_factor_required',
      ],
      summary: 'Set a new password by the recovery code',
      description:
        'The recovery code is void afterwards; recovery is the new one. Sessions and tokens from before end at once. With the second factor on it takes a code of it too.',
      access: 'open',
      invalidKeys: keyMembers('', '/recovery_secret'),
      body: PersonRecoverRequest,
      ok: entered,
    },
    async (request, reply) =>
      enteredAnswer(reply, cookies, await people.recover(request.body, entranceOf(request))),
  );

  route(
    'PUT /api/person/password',
    {
      errors: ['account.key_invalid', 'auth.credentials_invalid', 'auth.two_factor_required'],
      summary: 'Change the password',
      description: 'Sessions and tokens from before end at once, the one of this call too.',
      invalidKeys: keyMembers('', '/current_login_secret'),
      body: ChangePasswordRequest,
      ok: entered,
    },
    async (request, reply) =>
      enteredAnswer(
        reply,
        cookies,
        await people.changePassword(personOf(request), request.body, entranceOf(request)),
      ),
  );

  route(
    'PUT /api/person/recovery-code',
    {
      errors: ['account.key_invalid', 'auth.credentials_invalid'],
      summary: 'Replace the recovery code',
      invalidKeys: keyMembers(),
      body: PersonRecoveryCodeRequest,
    },
    (request) => people.replaceRecoveryCode(personOf(request), request.body, entranceOf(request)),
  );
}
