import {
  CodeMailed,
  DeletionState,
  EmailChangeRequest,
  Id,
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
import { Type } from 'typebox';
import { actorOf, companyOf, loginOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import type { AccountDeletion } from './account-deletion.ts';
import type { OwnLogin } from './own-login.ts';
import type { SecondFactor } from './second-factor.ts';
import type { Sessions } from './sessions.ts';
import type { TrustedDevices } from './trusted-devices.ts';

/** Portal logins alone come here (wire 5.5). Whoever signs in looks after their own sign-in, whatever their role. */
const own = { access: ['portal'], role: 'viewer' } as const;
const owner = { access: ['portal'], role: 'owner' } as const;
const params = Type.Object({ id: Id });
const tags = ['portal security'];
const nothing = { 204: Type.Null() };
const NO_STORE = ['cache-control', 'no-store'] as const;

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
  app.get(
    '/api/account/sessions',
    { config: own, schema: { tags, summary: 'List your sessions', response: { 200: SessionList } } },
    async (request) => ({ items: await sessions.list(loginOf(request)) }),
  );

  app.delete(
    '/api/account/sessions',
    { config: own, schema: { tags, summary: 'End all sessions but this one', response: nothing } },
    async (request, reply) => {
      await sessions.endOthers(loginOf(request), actorOf(request));
      return reply.code(204).send(null);
    },
  );

  app.delete(
    '/api/account/sessions/:id',
    { config: own, schema: { tags, summary: 'End a session', params, response: nothing } },
    async (request, reply) => {
      await sessions.end(loginOf(request), request.params.id, actorOf(request));
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/api/account/trusted-devices',
    {
      config: own,
      schema: { tags, summary: 'List the devices you trust', response: { 200: TrustedDeviceList } },
    },
    async (request) => ({ items: await trustedDevices.list(loginOf(request)) }),
  );

  app.delete(
    '/api/account/trusted-devices',
    { config: own, schema: { tags, summary: 'Trust no device any more', response: nothing } },
    async (request, reply) => {
      await trustedDevices.revokeAll(loginOf(request), actorOf(request));
      return reply.code(204).send(null);
    },
  );

  app.delete(
    '/api/account/trusted-devices/:id',
    { config: own, schema: { tags, summary: 'Trust a device no more', params, response: nothing } },
    async (request, reply) => {
      await trustedDevices.revoke(loginOf(request), request.params.id, actorOf(request));
      return reply.code(204).send(null);
    },
  );
}

function credentialRoutes(app: App, { ownLogin }: { ownLogin: OwnLogin }): void {
  app.put(
    '/api/account/password',
    {
      config: own,
      schema: {
        tags,
        summary: 'Change your password',
        description:
          "The company's own login sends the recovery key wrapped under the new password. Other sessions end.",
        body: PasswordRequest,
        response: nothing,
      },
    },
    async (request, reply) => {
      await ownLogin.changePassword(loginOf(request), request.body, actorOf(request));
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/api/account/email',
    {
      config: own,
      schema: {
        tags,
        summary: 'Change your e-mail address',
        description: 'A code is mailed to the new address, a notice to the present one.',
        body: EmailChangeRequest,
        response: { 202: CodeMailed },
      },
    },
    async (request, reply) =>
      reply.code(202).send(await ownLogin.startEmailChange(loginOf(request), request.body, actorOf(request))),
  );

  app.post(
    '/api/account/email/confirm',
    {
      config: own,
      schema: { tags, summary: 'Confirm your new address', body: MailedCodeRequest, response: nothing },
    },
    async (request, reply) => {
      await ownLogin.confirmEmailChange(loginOf(request), request.body.code, actorOf(request));
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/api/profile/keys',
    {
      config: { access: ['portal'] },
      schema: { tags, summary: "The company's own public keys", response: { 200: ProfileKeys } },
    },
    async (request) => ownLogin.profileKeys(companyOf(request)),
  );

  app.put(
    '/api/profile/keys',
    {
      config: owner,
      schema: {
        tags,
        summary: 'Replace the wrapped recovery key',
        body: ProfileKeysRequest,
        response: nothing,
      },
    },
    async (request, reply) => {
      await ownLogin.replaceRecoveryKey(loginOf(request), request.body, actorOf(request));
      return reply.code(204).send(null);
    },
  );
}

function secondFactorRoutes(app: App, { secondFactor }: { secondFactor: SecondFactor }): void {
  app.get(
    '/api/account/2fa',
    {
      config: own,
      schema: { tags, summary: 'Is the second factor on', response: { 200: TwoFactorState } },
    },
    async (request) => secondFactor.state(loginOf(request)),
  );

  app.post(
    '/api/account/2fa/enrol',
    {
      config: own,
      schema: {
        tags,
        summary: 'Make a secret for the authenticator app',
        body: TwoFactorEnrolRequest,
        response: { 200: TwoFactorEnrolment },
      },
    },
    async (request, reply) => {
      const { password } = request.body;
      const enrolment = await secondFactor.enrol(loginOf(request), password, request.ip);
      return reply.header(...NO_STORE).send(enrolment);
    },
  );

  app.post(
    '/api/account/2fa/confirm',
    {
      config: own,
      schema: {
        tags,
        summary: 'Switch the second factor on by a first code',
        body: TwoFactorConfirmRequest,
        response: { 200: RecoveryCodes },
      },
    },
    async (request, reply) => {
      const codes = await secondFactor.confirm(loginOf(request), request.body.code, actorOf(request));
      return reply.header(...NO_STORE).send(codes);
    },
  );

  app.post(
    '/api/account/2fa/recovery-codes',
    {
      config: own,
      schema: {
        tags,
        summary: 'Replace the recovery codes',
        body: ProofRequest,
        response: { 200: RecoveryCodes },
      },
    },
    async (request, reply) => {
      const codes = await secondFactor.newRecoveryCodes(loginOf(request), request.body, actorOf(request));
      return reply.header(...NO_STORE).send(codes);
    },
  );

  app.post(
    '/api/account/2fa/off',
    {
      config: own,
      schema: { tags, summary: 'Switch the second factor off', body: ProofRequest, response: nothing },
    },
    async (request, reply) => {
      await secondFactor.switchOff(loginOf(request), request.body, actorOf(request));
      return reply.code(204).send(null);
    },
  );
}

function deletionRoutes(app: App, { accountDeletion }: { accountDeletion: AccountDeletion }): void {
  app.get(
    '/api/account/delete-request',
    {
      config: { access: ['portal'] },
      schema: { tags, summary: 'Is the company to be deleted', response: { 200: DeletionState } },
    },
    async (request) => accountDeletion.state(companyOf(request)),
  );

  app.post(
    '/api/account/delete-request',
    {
      config: owner,
      schema: {
        tags,
        summary: 'Ask for the company to be deleted',
        description: 'A code is mailed that confirms it.',
        body: ProofRequest,
        response: { 202: CodeMailed },
      },
    },
    async (request, reply) =>
      reply.code(202).send(await accountDeletion.request(loginOf(request), request.body, actorOf(request))),
  );

  app.post(
    '/api/account/confirm-delete',
    {
      config: owner,
      schema: {
        tags,
        summary: 'Confirm that the company is to be deleted',
        description: 'It is deleted after 14 days; until then an owner can take it back.',
        body: MailedCodeRequest,
        response: { 200: DeletionState },
      },
    },
    async (request) => accountDeletion.confirm(loginOf(request), request.body.code, actorOf(request)),
  );

  app.delete(
    '/api/account/delete-request',
    { config: owner, schema: { tags, summary: 'Take the deletion back', response: nothing } },
    async (request, reply) => {
      await accountDeletion.withdraw(loginOf(request), actorOf(request));
      return reply.code(204).send(null);
    },
  );
}
