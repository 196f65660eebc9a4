import {
  CodeMailed,
  DeletionState,
  EmailChangeRequest,
  MailedCodeRequest,
  PasswordRequest,
  ProfileKeys,
  ProfileKeysRequest,
  ProofRequest,
  RecoveryCodes,
  SessionList,
  TrustedDeviceList,
  TwoFactorConfirmRequest,
  TwoFactorEnrolment,
  TwoFactorEnrolRequest,
  TwoFactorState,
} from '@symbolon/protocol';

import { actorOf, companyOf, loginOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { AccountDeletion } from './account-deletion.ts';
import type { OwnLogin } from './own-login.ts';
import type { SecondFactor } from './second-factor.ts';
import type { Sessions } from './sessions.ts';
import type { TrustedDevices } from './trusted-devices.ts';

/** Only portal logins may call these (wire 5.5). With any role they look after their own sign-in. */
export function portalSecurityRoutes(
  app: App,
  rules: {
    sessions: Sessions;
    ownLogin: OwnLogin;
    secondFactor: SecondFactor;
    trustedDevices: TrustedDevices;
    accountDeletion: AccountDeletion;
  },
): void {
  sessionRoutes(app, rules);
  credentialRoutes(app, rules);
  secondFactorRoutes(app, rules);
  deletionRoutes(app, rules);
}

function sessionRoutes(
  app: App,
  { sessions, trustedDevices }: { sessions: Sessions; trustedDevices: TrustedDevices },
): void {
  const route = routesOf(app, { tags: ['portal security'], access: ['portal'], role: 'viewer' });

  route('GET /api/account/sessions', { summary: 'List your sessions', ok: SessionList }, async (request) => ({
    items: await sessions.list(loginOf(request)),
  }));

  route('DELETE /api/account/sessions', { summary: 'End all sessions but this one' }, (request) =>
    sessions.endOthers(loginOf(request), actorOf(request)),
  );

  route('DELETE /api/account/sessions/:id', { summary: 'End a session' }, (request) =>
    sessions.end(loginOf(request), request.params.id, actorOf(request)),
  );

  route(
    'GET /api/account/trusted-devices',
    { summary: 'List the devices you trust', ok: TrustedDeviceList },
    async (request) => ({ items: await trustedDevices.list(loginOf(request)) }),
  );

  route('DELETE /api/account/trusted-devices', { summary: 'Trust no device any more' }, (request) =>
    trustedDevices.revokeAll(loginOf(request), actorOf(request)),
  );

  route('DELETE /api/account/trusted-devices/:id', { summary: 'Trust a device no more' }, (request) =>
    trustedDevices.revoke(loginOf(request), request.params.id, actorOf(request)),
  );
}

function credentialRoutes(app: App, { ownLogin }: { ownLogin: OwnLogin }): void {
  const route = routesOf(app, { tags: ['portal security'], access: ['portal'] });

  route(
    'PUT /api/account/password',
    {
      summary: 'Change your password',
      description:
        "The company's own login sends the recovery key wrapped under the new password. Other sessions end.",
      role: 'viewer',
      body: PasswordRequest,
    },
    (request) => ownLogin.changePassword(loginOf(request), request.body, actorOf(request)),
  );

  route(
    'POST /api/account/email',
    {
      summary: 'Change your e-mail address',
      description: 'A code is mailed to the new address, a notice to the present one.',
      role: 'viewer',
      body: EmailChangeRequest,
      accepted: CodeMailed,
    },
    (request) => ownLogin.startEmailChange(loginOf(request), request.body, actorOf(request)),
  );

  route(
    'POST /api/account/email/confirm',
    { summary: 'Confirm your new address', role: 'viewer', body: MailedCodeRequest },
    (request) => ownLogin.confirmEmailChange(loginOf(request), request.body.code, actorOf(request)),
  );

  route('GET /api/profile/keys', { summary: "The company's own public keys", ok: ProfileKeys }, (request) =>
    ownLogin.profileKeys(companyOf(request)),
  );

  route(
    'PUT /api/profile/keys',
    { summary: 'Replace the wrapped recovery key', role: 'owner', body: ProfileKeysRequest },
    (request) => ownLogin.replaceRecoveryKey(loginOf(request), request.body, actorOf(request)),
  );
}

function secondFactorRoutes(app: App, { secondFactor }: { secondFactor: SecondFactor }): void {
  const route = routesOf(app, { tags: ['portal security'], access: ['portal'], role: 'viewer' });

  route('GET /api/account/2fa', { summary: 'Is the second factor on', ok: TwoFactorState }, (request) =>
    secondFactor.state(loginOf(request)),
  );

  route(
    'POST /api/account/2fa/enrol',
    {
      summary: 'Make a secret for the authenticator app',
      body: TwoFactorEnrolRequest,
      ok: TwoFactorEnrolment,
    },
    (request) => secondFactor.enrol(loginOf(request), request.body.password, request.ip),
  );

  route(
    'POST /api/account/2fa/confirm',
    {
      summary: 'Switch the second factor on by a first code',
      body: TwoFactorConfirmRequest,
      ok: RecoveryCodes,
    },
    (request) => secondFactor.confirm(loginOf(request), request.body.code, actorOf(request)),
  );

  route(
    'POST /api/account/2fa/recovery-codes',
    { summary: 'Replace the recovery codes', body: ProofRequest, ok: RecoveryCodes },
    (request) => secondFactor.newRecoveryCodes(loginOf(request), request.body, actorOf(request)),
  );

  route(
    'POST /api/account/2fa/off',
    { summary: 'Switch the second factor off', body: ProofRequest },
    (request) => secondFactor.switchOff(loginOf(request), request.body, actorOf(request)),
  );
}

function deletionRoutes(app: App, { accountDeletion }: { accountDeletion: AccountDeletion }): void {
  const route = routesOf(app, { tags: ['portal security'], access: ['portal'] });

  route(
    'GET /api/account/delete-request',
    { summary: 'Is the company to be deleted', ok: DeletionState },
    (request) => accountDeletion.state(companyOf(request)),
  );

  route(
    'POST /api/account/delete-request',
    {
      summary: 'Ask for the company to be deleted',
      description: 'A code is mailed that confirms it.',
      role: 'owner',
      body: ProofRequest,
      accepted: CodeMailed,
    },
    (request) => accountDeletion.request(loginOf(request), request.body, actorOf(request)),
  );

  route(
    'POST /api/account/confirm-delete',
    {
      summary: 'Confirm that the company is to be deleted',
      description: 'It is deleted after 14 days; until then an owner can take it back.',
      role: 'owner',
      body: MailedCodeRequest,
      ok: DeletionState,
    },
    (request) => accountDeletion.confirm(loginOf(request), request.body.code, actorOf(request)),
  );

  route(
    'DELETE /api/account/delete-request',
    { summary: 'Take the deletion back', role: 'owner' },
    (request) => accountDeletion.withdraw(loginOf(request), actorOf(request)),
  );
}
