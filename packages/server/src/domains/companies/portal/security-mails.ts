import { NOT_YOU as NOTICES, quoted } from '../../../access/login-mails.ts';
import type { Mail } from '../../../core/mail.ts';

/* Mails about a login of the portal. The code or the change stands first; no mail holds a secret except its code. */

const NOT_YOU = NOTICES.portal;

export function resetCode(to: string, code: string, minutes: number): Mail {
  return {
    to,
    subject: `${code} resets your sign-in`,
    code,
    text: `${code} resets your sign-in to the Symbolon portal. It was made before passwords stayed on your device, so it
needs a new password and new keys once.

Enter it within ${minutes} minutes. Keep it to yourself: we never ask for it.

You did not ask for this? Then there is nothing to do. Without the code, nothing changes.
`,
  };
}

/** To an address that asks for a reset and has no login that needs one. */
export function noReset(to: string): Mail {
  return {
    to,
    subject: 'There is no sign-in to reset',
    text: `Somebody asked to reset the sign-in to the Symbolon portal of this address by mail. Only sign-ins that were made
before passwords stayed on your device can be reset by mail, and there is none with this address.

If it was you: set a new password with your recovery code.
`,
  };
}

export function loginReset(to: string, recoveryKeyReplaced: boolean): Mail {
  return {
    to,
    subject: 'Your sign-in was reset',
    text: `Your sign-in to the Symbolon portal was reset by a code that was mailed to you: it has a new password, new keys
and a new recovery code. All its sessions have ended.
${
  recoveryKeyReplaced
    ? `
Your company has a new recovery key. What was sealed to the key before it (copies of client secrets and of service
passphrases) was deleted, because nobody could open it any more. Make new copies of what you need.
`
    : ''
}
${NOT_YOU}
`,
  };
}

export function deletionCode(to: string, code: string, company: string, minutes: number): Mail {
  return {
    to,
    subject: `${code} confirms the deletion of your account`,
    code,
    text: `${code} confirms that the account of ${quoted(company)} is to be deleted, with its services, connections and keys.

Enter it within ${minutes} minutes. There are 14 days after that in which you can take it back.

You did not ask for this? Do not enter the code, and change your password.
`,
  };
}

export function deletionConfirmed(to: string, company: string, dueAt: string): Mail {
  return {
    to,
    subject: 'Your company will be deleted',
    text: `The account of ${quoted(company)} will be deleted on ${dueAt}, with its services, connections and keys. Until
then an owner can take this back in the portal.

${NOT_YOU}
`,
  };
}

export function deletionWithdrawn(to: string, company: string): Mail {
  return {
    to,
    subject: 'Your company will not be deleted',
    text: `The deletion of the account of ${quoted(company)} was taken back. Everything stays as it is.
`,
  };
}

export function deletionDone(to: string): Mail {
  return {
    to,
    subject: 'Your account is deleted',
    text: `The account of your company on Symbolon is deleted, with its services, connections and keys.
`,
  };
}
