import {
  ProofRequest,
  RecoveryCodes,
  TwoFactorConfirmRequest,
  TwoFactorEnrolment,
  TwoFactorState,
} from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { sourceOf } from '../../../access/callers.ts';
import { keyMembers } from '../../../access/key-material.ts';
import type { AccountRef } from '../../../access/user-handle.ts';
import type { App } from '../../../http/app.ts';
import { proofErrors } from '../../../http/route-errors.ts';
import { routesOf } from '../../../http/routes.ts';
import { type AccountRow, lastFactorErrors } from './account.ts';
import type { SecondFactor } from './second-factor.ts';

/** The second factor, of people and of logins alike. @param at where the routes begin */
export function secondFactorRoutes<Row extends AccountRow>(
  app: App,
  at: '/api/person/totp' | '/api/account/2fa',
  shared: Parameters<typeof routesOf>[1],
  secondFactor: SecondFactor<Row>,
  accountOf: (request: FastifyRequest) => AccountRef,
): void {
  const route = routesOf(app, shared);

  route(`GET ${at}`, { summary: 'Is the second factor on', ok: TwoFactorState }, (request) =>
    secondFactor.state(accountOf(request)),
  );

  route(
    `POST ${at}/enrol`,
    {
      errors: [...proofErrors, 'account.two_factor_on'],
      summary: 'Make a secret for the authenticator app',
      invalidKeys: keyMembers(),
      body: ProofRequest,
      ok: TwoFactorEnrolment,
    },
    (request) => secondFactor.enrol(accountOf(request), request.body, sourceOf(request)),
  );

  route(
    `POST ${at}/confirm`,
    {
      errors: [
        'account.two_factor_not_started',
        'account.two_factor_on',
        'auth.second_factor_invalid',
        'auth.throttled',
        'auth.two_factor_required',
      ],
      summary: 'Switch the second factor on by a first code',
      body: TwoFactorConfirmRequest,
      ok: RecoveryCodes,
    },
    (request) => secondFactor.confirm(accountOf(request), request.body.code, sourceOf(request)),
  );

  route(
    `POST ${at}/recovery-codes`,
    {
      errors: [...proofErrors, 'account.two_factor_off'],
      summary: 'Replace the recovery codes',
      invalidKeys: keyMembers(),
      body: ProofRequest,
      ok: RecoveryCodes,
    },
    (request) => secondFactor.newRecoveryCodes(accountOf(request), request.body, sourceOf(request)),
  );

  route(
    `POST ${at}/off`,
    {
      errors: [...proofErrors, 'account.two_factor_off', ...lastFactorErrors(at)],
      summary: 'Switch the second factor off',
      invalidKeys: keyMembers(),
      body: ProofRequest,
    },
    (request) => secondFactor.switchOff(accountOf(request), request.body, sourceOf(request)),
  );
}
