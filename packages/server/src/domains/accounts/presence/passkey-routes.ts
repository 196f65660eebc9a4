import {
  AddPasskeyRequest,
  Passkey,
  PasskeyCreationOptions,
  PasskeyList,
  ProofRequest,
  RenamePasskeyRequest,
  WrapPasskeyRequest,
} from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { sourceOf } from '../../../access/callers.ts';
import { keyMembers } from '../../../access/key-material.ts';
import type { AccountRef } from '../../../access/user-handle.ts';
import type { App } from '../../../http/app.ts';
import { proofErrors } from '../../../http/route-errors.ts';
import { routesOf } from '../../../http/routes.ts';
import { type AccountRow, lastFactorErrors } from './account.ts';
import type { Passkeys } from './passkeys.ts';

const idIn = (request: FastifyRequest) => (request.params as { id: string }).id;

/** The passkeys of people and of logins alike. @param at where the routes begin */
export function passkeyRoutes<Row extends AccountRow>(
  app: App,
  at: '/api/person/passkeys' | '/api/account/passkeys',
  shared: Parameters<typeof routesOf>[1],
  passkeys: Passkeys<Row>,
  accountOf: (request: FastifyRequest) => AccountRef,
): void {
  const route = routesOf(app, shared);

  route(`GET ${at}`, { summary: 'List your passkeys', ok: PasskeyList }, async (request) => ({
    items: await passkeys.list(accountOf(request)),
  }));

  route(
    `POST ${at}/options`,
    {
      errors: [...proofErrors, 'account.passkey_limit', 'account.passkeys_unavailable'],
      summary: 'What a browser makes a passkey with',
      description: 'Takes a proof of presence; the challenge is good for 5 minutes, once.',
      invalidKeys: keyMembers(),
      body: ProofRequest,
      ok: PasskeyCreationOptions,
    },
    (request) => passkeys.options(accountOf(request), request.body, sourceOf(request)),
  );

  route(
    `POST ${at}`,
    {
      errors: ['account.key_invalid', 'account.passkey_limit', 'auth.passkey_invalid'],
      summary: 'Add a passkey',
      description:
        'encrypted_private_key is the private key under the output of the PRF extension, which stays on the device.',
      invalidKeys: keyMembers(),
      body: AddPasskeyRequest,
      created: Passkey,
    },
    (request) => passkeys.add(accountOf(request), request.body, sourceOf(request)),
  );

  route(
    `PUT ${at}/:id`,
    { errors: ['account.passkey_not_found'], summary: 'Rename a passkey', body: RenamePasskeyRequest },
    (request) => passkeys.rename(accountOf(request), idIn(request), request.body.name),
  );

  route(
    `PUT ${at}/:id/key`,
    {
      errors: [...proofErrors, 'account.passkey_not_found'],
      summary: 'Wrap the private key for a passkey',
      description: 'The act of the nonce is "wrap key of passkey <id>", and this passkey must answer it.',
      invalidKeys: keyMembers(),
      body: WrapPasskeyRequest,
    },
    (request) => passkeys.wrap(accountOf(request), idIn(request), request.body, sourceOf(request)),
  );

  route(
    `POST ${at}/:id/remove`,
    {
      errors: [...proofErrors, 'account.passkey_not_found', ...lastFactorErrors(at)],
      summary: 'Remove a passkey',
      invalidKeys: keyMembers(),
      body: ProofRequest,
    },
    (request) => passkeys.remove(accountOf(request), idIn(request), request.body, sourceOf(request)),
  );
}
