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
import type { People } from './people.ts';

const tags = ['person'];
const access = ['person'] as const;

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

export function peopleRoutes(app: App, { people }: { people: People }): void {
  app.post(
    '/api/person/register',
    {
      config: {
        access: 'open',
        invalidKeys: {
          '/email': 'people.email_invalid',
          ...keyMembers(
            '/public_key',
            ...passwordMembers,
            '/recovery/secret',
            '/recovery/encrypted_private_key',
            '/recovery/encrypted_private_key/iv',
            '/recovery/encrypted_private_key/data',
          ),
        },
      },
      schema: {
        tags,
        summary: 'Register a person',
        description:
          'The device makes the keys: the platform gets neither the password nor a private key it could open.',
        body: PersonRegisterRequest,
        response: { 201: PersonSession },
      },
    },
    async (request, reply) => reply.code(201).send(await people.register(request.body)),
  );

  app.post(
    '/api/person/login/parameters',
    {
      config: { access: 'open' },
      schema: {
        tags,
        summary: 'What the login secret is derived with',
        description: 'Answers for every address; whether somebody is registered does not show.',
        body: LoginParametersRequest,
        response: { 200: LoginParameters },
      },
    },
    async (request) => people.loginParameters(request.body.email),
  );

  app.post(
    '/api/person/login',
    {
      config: { access: 'open', invalidKeys: keyMembers('/login_secret') },
      schema: { tags, summary: 'Sign in', body: PersonLoginRequest, response: { 200: PersonSession } },
    },
    async (request) => people.login(request.body, request.ip),
  );

  app.post(
    '/api/person/recover/key',
    {
      config: { access: 'open', invalidKeys: keyMembers('/recovery_secret') },
      schema: {
        tags,
        summary: 'The private key under the recovery code',
        body: RecoveryKeyRequest,
        response: { 200: RecoveredKey },
      },
    },
    async (request) => ({ encrypted_private_key: await people.recoveryKey(request.body, request.ip) }),
  );

  app.post(
    '/api/person/recover',
    {
      config: { access: 'open', invalidKeys: keyMembers('/recovery_secret', ...passwordMembers) },
      schema: {
        tags,
        summary: 'Set a new password by the recovery code',
        description: 'Tokens from before end at once.',
        body: RecoverRequest,
        response: { 200: PersonSession },
      },
    },
    async (request) => people.recover(request.body, request.ip),
  );

  app.put(
    '/api/person/password',
    {
      config: { access, invalidKeys: keyMembers('/current_login_secret', ...passwordMembers) },
      schema: {
        tags,
        summary: 'Change the password',
        description: 'Tokens from before end at once, the one of this call too.',
        body: ChangePasswordRequest,
        response: { 200: PersonSession },
      },
    },
    async (request) => people.changePassword(personOf(request), request.body, request.ip),
  );

  app.get(
    '/api/person/me',
    { config: { access }, schema: { tags, summary: 'The person who calls', response: { 200: Person } } },
    async (request) => people.me(personOf(request)),
  );
}
