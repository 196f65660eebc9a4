import {
  ActProof,
  ActProofRequest,
  CodeMailed,
  DeletionState,
  EmailChangeRequest,
  MailedCodeRequest,
  OpenedRecoveryKey,
  PasswordRequest,
  ProfileKeys,
  ProofRequest,
  RecoveryCodeRequest,
  RecoveryKeyHolderList,
  SessionList,
  ShareRecoveryKeyRequest,
  SignInPolicy,
  SignInPolicyRequest,
  TrustedDeviceList,
} from '@symbolon/protocol';
import { actorOf, companyOf, loginOf, sourceOf } from '../../../access/callers.ts';
import { keyMembers } from '../../../access/key-material.ts';
import type { App } from '../../../http/app.ts';
import { proofErrors } from '../../../http/route-errors.ts';
import { routesOf } from '../../../http/routes.ts';
import type { EmailChange } from '../../accounts/index.ts';
import type { AccountDeletion } from './account-deletion.ts';
import type { ActProofs } from './act-proofs.ts';
import type { OwnLogin } from './own-login.ts';
import type { RecoveryKeyHolders } from './recovery-key.ts';
import type { Sessions } from './sessions.ts';
import type { SignInPolicies } from './sign-in-policy.ts';
import type { PortalLoginRow } from './tables.ts';
import type { TrustedDevices } from './trusted-devices.ts';

/** Only portal logins may call these (wire 5.5). With any role they look after their own sign-in. */
export function portalSecurityRoutes(
  app: App,
  rules: {
    sessions: Sessions;
    ownLogin: OwnLogin;
    loginEmail: EmailChange<PortalLoginRow>;
    trustedDevices: TrustedDevices;
    accountDeletion: AccountDeletion;
    actProofs: ActProofs;
    signInPolicies: SignInPolicies;
    recoveryKeyHolders: RecoveryKeyHolders;
  },
): void {
  sessionRoutes(app, rules);
  credentialRoutes(app, rules);
  policyRoutes(app, rules);
  recoveryKeyRoutes(app, rules);
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

  route(
    'DELETE /api/account/sessions/:id',
    { errors: ['account.session_not_found'], summary: 'End a session' },
    (request) => sessions.end(loginOf(request), request.params.id, actorOf(request)),
  );

  route(
    'GET /api/account/trusted-devices',
    { summary: 'List the devices you trust', ok: TrustedDeviceList },
    async (request) => ({ items: await trustedDevices.list(loginOf(request)) }),
  );

  route('DELETE /api/account/trusted-devices', { summary: 'Trust no device any more' }, (request) =>
    trustedDevices.revokeAll(loginOf(request), actorOf(request)),
  );

  route(
    'DELETE /api/account/trusted-devices/:id',
    { errors: ['account.trusted_device_not_found'], summary: 'Trust a device no more' },
    (request) => trustedDevices.revoke(loginOf(request), request.params.id, actorOf(request)),
  );
}

function credentialRoutes(
  app: App,
  { ownLogin, loginEmail }: { ownLogin: OwnLogin; loginEmail: EmailChange<PortalLoginRow> },
): void {
  const route = routesOf(app, { tags: ['portal security'], access: ['portal'] });

  route(
    'PUT /api/account/password',
    {
      errors: [...proofErrors],
      summary: 'Change your password',
      description: 'new wraps the private key of the login under the new password. Other sessions end.',
      role: 'viewer',
      invalidKeys: { ...keyMembers(), ...keyMembers('/new') },
      body: PasswordRequest,
    },
    (request) => ownLogin.changePassword(loginOf(request), request.body, actorOf(request)),
  );

  route(
    'PUT /api/account/recovery-code',
    {
      errors: [...proofErrors],
      summary: 'Replace your recovery code',
      role: 'viewer',
      invalidKeys: keyMembers(),
      body: RecoveryCodeRequest,
    },
    (request) => ownLogin.replaceRecoveryCode(loginOf(request), request.body, actorOf(request)),
  );

  route(
    'POST /api/account/email',
    {
      errors: [...proofErrors, 'account.email_invalid', 'mail.refused', 'mail.unavailable'],
      summary: 'Change your e-mail address',
      description: 'A code is mailed to the new address, a notice to the present one.',
      role: 'viewer',
      invalidKeys: keyMembers(),
      body: EmailChangeRequest,
      accepted: CodeMailed,
    },
    (request) => loginEmail.start(loginOf(request), request.body, sourceOf(request)),
  );

  route(
    'POST /api/account/email/confirm',
    {
      errors: ['account.code_invalid', 'account.email_taken'],
      summary: 'Confirm your new address',
      role: 'viewer',
      body: MailedCodeRequest,
    },
    (request) => loginEmail.confirm(loginOf(request), request.body.code, sourceOf(request)),
  );

  route('GET /api/profile/keys', { summary: "The company's own public keys", ok: ProfileKeys }, (request) =>
    ownLogin.profileKeys(companyOf(request)),
  );
}

function policyRoutes(app: App, { signInPolicies }: { signInPolicies: SignInPolicies }): void {
  const route = routesOf(app, { tags: ['portal security'], access: ['portal'] });

  route(
    'GET /api/account/sign-in-policy',
    { summary: 'Does every login need a second factor', ok: SignInPolicy },
    (request) => signInPolicies.get(loginOf(request)),
  );

  route(
    'PUT /api/account/sign-in-policy',
    {
      errors: [...proofErrors, 'account.second_factor_untried'],
      summary: 'Require a second factor of every login, or of none',
      description:
        'To require it, sign in with a code or a passkey first. A login without one may then set one up, and nothing else.',
      role: 'admin',
      invalidKeys: keyMembers(),
      body: SignInPolicyRequest,
      ok: SignInPolicy,
    },
    (request) => signInPolicies.set(loginOf(request), request.body, actorOf(request)),
  );
}

function recoveryKeyRoutes(
  app: App,
  { actProofs, recoveryKeyHolders }: { actProofs: ActProofs; recoveryKeyHolders: RecoveryKeyHolders },
): void {
  const route = routesOf(app, { tags: ['portal security'], access: ['portal'], role: 'admin' });

  route(
    'POST /api/account/proofs',
    {
      errors: [...proofErrors],
      summary: 'Prove that you are present, for one request',
      description: 'Send the proof with that request as X-<word>-Proof. It is good for 2 minutes, once.',
      role: 'viewer',
      invalidKeys: keyMembers(),
      body: ActProofRequest,
      created: ActProof,
    },
    (request) => actProofs.make(loginOf(request), request.body, request.ip),
  );

  route(
    'POST /api/account/recovery-key/open',
    {
      errors: [...proofErrors, 'account.recovery_key_not_shared'],
      summary: 'Your copy of the recovery key',
      description: 'Sealed to the key of your login.',
      invalidKeys: keyMembers(),
      body: ProofRequest,
      ok: OpenedRecoveryKey,
    },
    (request) => recoveryKeyHolders.open(loginOf(request), request.body, actorOf(request)),
  );

  route(
    'GET /api/account/recovery-key/holders',
    { summary: 'Who may open the recovery key', ok: RecoveryKeyHolderList },
    async (request) => ({ items: await recoveryKeyHolders.list(companyOf(request)) }),
  );

  route(
    'PUT /api/account/recovery-key/holders/:loginId',
    {
      errors: [
        ...proofErrors,
        'account.recovery_key_holder_changed',
        'account.recovery_key_invalid',
        'account.recovery_key_not_shared',
        'delegates.not_found',
      ],
      summary: 'Give somebody a copy of the recovery key',
      description: 'Compare the fingerprint of their key with them first.',
      invalidKeys: { ...keyMembers(), '/sealed': 'account.recovery_key_invalid' },
      body: ShareRecoveryKeyRequest,
    },
    (request) =>
      recoveryKeyHolders.share(loginOf(request), request.params.loginId, request.body, actorOf(request)),
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
      errors: [...proofErrors, 'account.deletion_pending', 'mail.refused', 'mail.unavailable'],
      summary: 'Ask for the company to be deleted',
      description: 'A code is mailed that confirms it.',
      role: 'owner',
      invalidKeys: keyMembers(),
      body: ProofRequest,
      accepted: CodeMailed,
    },
    (request) => accountDeletion.request(loginOf(request), request.body, actorOf(request)),
  );

  route(
    'POST /api/account/confirm-delete',
    {
      errors: ['account.code_invalid', 'account.deletion_pending'],
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
    { errors: ['account.deletion_not_pending'], summary: 'Take the deletion back', role: 'owner' },
    (request) => accountDeletion.withdraw(loginOf(request), actorOf(request)),
  );
}
