import {
  ChangePasswordRequest,
  type ErrorKey,
  LoginParameters,
  LoginParametersRequest,
  Person,
  PersonLoginRequest,
  PersonRegisterRequest,
  PersonSession,
  RecoveredKey,
  RecoverRequest,
  RecoveryKeyRequest,
} from '@symbolon/protocol';
import { personOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { People } from './people.ts';

/** Members of key material answer with their own key, whatever is wrong with them. */
const keyMembers = (...pointers: string[]): Record<string, ErrorKey> =>
  Object.fromEntries(pointers.map((pointer) => [pointer, 'people.key_invalid']));
const passwordMembers = [
  '/key_salt',
  '/login_secret',
  '/encrypted_private_key',
  '/encrypted_private_key/iv',
  '/encrypted_private_key/data',
];

/** Long because it declares its routes one after the other. */
export function peopleRoutes(app: App, { people }: { people: People }): void {
  const route = routesOf(app, { tags: ['person'], access: ['person'] });

  route(
    'POST /api/person/register',
    {
      summary: 'Register a person',
      description:
        'The device makes the keys: the platform gets neither the password nor a private key it could open.',
      access: 'open',
      invalidKeys: {
        '/email': 'people.email_invalid',
        '/display_name': 'profile.display_name_invalid',
        ...keyMembers(
          '/public_key',
          ...passwordMembers,
          '/recovery/secret',
          '/recovery/encrypted_private_key',
          '/recovery/encrypted_private_key/iv',
          '/recovery/encrypted_private_key/data',
        ),
      },
      body: PersonRegisterRequest,
      created: PersonSession,
    },
    (request) => people.register(request.body),
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
      invalidKeys: keyMembers('/login_secret'),
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
      invalidKeys: keyMembers('/recovery_secret'),
      body: RecoveryKeyRequest,
      ok: RecoveredKey,
    },
    async (request) => ({ encrypted_private_key: await people.recoveryKey(request.body, request.ip) }),
  );

  route(
    'POST /api/person/recover',
    {
      summary: 'Set a new password by the recovery code',
      description: 'Tokens from before end at once.',
      access: 'open',
      invalidKeys: keyMembers('/recovery_secret', ...passwordMembers),
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
      invalidKeys: keyMembers('/current_login_secret', ...passwordMembers),
      body: ChangePasswordRequest,
      ok: PersonSession,
    },
    (request) => people.changePassword(personOf(request), request.body, request.ip),
  );

  route('GET /api/person/me', { summary: 'The person who calls', ok: Person }, (request) =>
    people.me(personOf(request)),
  );
}
