import {
  ChangePersonRequest,
  CodeMailed,
  ConfirmRecoveryCodeRequest,
  EmailChangeRequest,
  MailedCodeRequest,
  Person,
  PersonHistory,
  RecoveryState,
} from '@symbolon/protocol';
import { personOf, sourceOf } from '../../../access/callers.ts';
import { keyMembers } from '../../../access/key-material.ts';
import type { App } from '../../../http/app.ts';
import { proofErrors } from '../../../http/route-errors.ts';
import { routesOf } from '../../../http/routes.ts';
import { entranceOf } from './entrance.ts';
import type { OwnAccount } from './own-account.ts';
import type { People } from './people.ts';

export function ownAccountRoutes(
  app: App,
  { people, ownAccount }: { people: People; ownAccount: OwnAccount },
): void {
  const route = routesOf(app, { tags: ['person'], access: ['person'] });

  route('GET /api/person/me', { summary: 'The person who calls', ok: Person }, (request) =>
    people.me(personOf(request)),
  );

  route(
    'PUT /api/person/me',
    {
      errors: ['profile.display_name_invalid'],
      summary: 'Change your name',
      description: 'Companies see the new name at their next read; no event tells of it.',
      invalidKeys: { '/display_name': 'profile.display_name_invalid' },
      body: ChangePersonRequest,
      ok: Person,
    },
    async (request) => {
      const personId = personOf(request);
      await ownAccount.change(personId, request.body, entranceOf(request).userAgent);
      return people.me(personId);
    },
  );

  route(
    'POST /api/person/email',
    {
      errors: [...proofErrors, 'account.email_invalid', 'mail.refused', 'mail.unavailable'],
      summary: 'Change your e-mail address',
      description: 'A code is mailed to the new address, a notice to the present one.',
      invalidKeys: keyMembers(),
      body: EmailChangeRequest,
      accepted: CodeMailed,
    },
    (request) => ownAccount.startEmailChange(personOf(request), request.body, sourceOf(request)),
  );

  route(
    'POST /api/person/email/confirm',
    {
      errors: ['account.code_invalid', 'account.email_taken'],
      summary: 'Confirm your new address',
      body: MailedCodeRequest,
      ok: Person,
    },
    async (request) => {
      const personId = personOf(request);
      await ownAccount.confirmEmailChange(personId, request.body.code, entranceOf(request));
      return people.me(personId);
    },
  );

  route(
    'GET /api/person/history',
    {
      summary: 'What happened at your account',
      description:
        'Sign-ins, and changes of what you sign in with: the latest 200 of 90 days, the latest first.',
      ok: PersonHistory,
    },
    async (request) => ({ items: await ownAccount.history(personOf(request)) }),
  );

  route(
    'GET /api/person/recovery-code',
    {
      summary: 'Since when your recovery code is, and when you last confirmed to have it',
      ok: RecoveryState,
    },
    (request) => ownAccount.recovery(personOf(request)),
  );

  route(
    'POST /api/person/recovery-code/confirm',
    {
      errors: ['account.key_invalid', 'account.recovery_invalid', 'auth.throttled'],
      summary: 'Confirm to have the recovery code',
      description:
        'For a device that has opened with it what `POST /api/person/recover/key` gives. The code stays good.',
      invalidKeys: keyMembers('', '/recovery_secret'),
      body: ConfirmRecoveryCodeRequest,
    },
    (request) => ownAccount.confirmRecoveryCode(personOf(request), request.body, entranceOf(request)),
  );
}
