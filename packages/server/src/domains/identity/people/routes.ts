import {
  ChangePasswordRequest,
  LoginParameters,
  LoginParametersRequest,
  MailedTicket,
  Person,
  PersonConfirmRequest,
  PersonLoginRequest,
  PersonRecoveryCodeRequest,
  PersonRegisterRequest,
  PersonSession,
  RecoveredKey,
  RecoverRequest,
  RecoveryKeyRequest,
} from '@symbolon/protocol';
import { personOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import { keyMembers } from '../credentials/index.ts';
import type { People } from './people.ts';

const accountMembers = {
  '/account/display_name': 'profile.display_name_invalid',
  ...keyMembers('/account', '/public_key'),
} as const;

/** Long because it declares its routes one after the other. */
export function peopleRoutes(app: App, { people }: { people: People }): void {
  const route = routesOf(app, { tags: ['person'], access: ['person'] });

  route(
    'POST /api/person/register',
    {
      summary: 'Register a person',
      description:
        'A code is mailed to the address, for the second step. The answer is the same for every address. With account, which only closed installations take, the person is registered at once.',
      access: 'open',
      limit: 'registration',
      invalidKeys: { '/email': 'account.email_invalid', ...accountMembers },
      body: PersonRegisterRequest,
      accepted: MailedTicket,
      orCreated: PersonSession,
    },
    async (request, reply) => {
      const made = await people.register(request.body);
      if ('access_token' in made) reply.code(201);
      return made;
    },
  );

  route(
    'POST /api/person/register/confirm',
    {
      summary: 'Register a person: the second step',
      description:
        'The device makes the keys: the platform gets neither the password nor a private key it could open.',
      access: 'open',
      limit: 'registration',
      invalidKeys: accountMembers,
      body: PersonConfirmRequest,
      created: PersonSession,
    },
    (request) => people.confirmRegistration(request.body),
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
      summary: 'Sign in',
      access: 'open',
      invalidKeys: keyMembers(),
      body: PersonLoginRequest,
      ok: PersonSession,
    },
    (request) => people.login(request.body, request.ip),
  );

  route(
    'POST /api/person/recover/key',
    {
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
      summary: 'Set a new password by the recovery code',
      description:
        'The recovery code is void afterwards; recovery is the new one. Tokens from before end at once.',
      access: 'open',
      invalidKeys: keyMembers('', '/recovery_secret'),
      body: RecoverRequest,
      ok: PersonSession,
    },
    (request) => people.recover(request.body, request.ip),
  );

  route(
    'PUT /api/person/password',
    {
      summary: 'Change the password',
      description: 'Tokens from before end at once, the one of this call too.',
      invalidKeys: keyMembers('', '/current_login_secret'),
      body: ChangePasswordRequest,
      ok: PersonSession,
    },
    (request) => people.changePassword(personOf(request), request.body, request.ip),
  );

  route(
    'PUT /api/person/recovery-code',
    {
      summary: 'Replace the recovery code',
      invalidKeys: keyMembers(),
      body: PersonRecoveryCodeRequest,
    },
    (request) => people.replaceRecoveryCode(personOf(request), request.body, request.ip),
  );

  route('GET /api/person/me', { summary: 'The person who calls', ok: Person }, (request) =>
    people.me(personOf(request)),
  );
}
