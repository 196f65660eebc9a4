import type { Mail } from '../../../core/mail.ts';

/* Mails about a login. The code or the change stands first; no mail holds a secret except its code. */

const NOT_YOU = `Was that not you? Then change your password in the portal at once, and look at the sessions and the
audit log of your account.`;

export function emailChangeCode(to: string, code: string, minutes: number): Mail {
  return {
    to,
    subject: `${code} is your confirmation code`,
    text: `${code} confirms this address for your sign-in to the Symbolon portal.

Enter it within ${minutes} minutes. Keep it to yourself: we never ask for it.

You did not ask for a code? Then there is nothing to do. Without it, nothing changes.
`,
  };
}

/** To the requested new address when it has an account already. */
export function emailInUse(to: string): Mail {
  return {
    to,
    subject: 'This address has an account already',
    text: `Somebody asked to sign in to the Symbolon portal with this address from now on. It belongs to an account already,
so nothing changes.

If it was you, use another address, or change the address of the other account first.
`,
  };
}

export function emailChangeAsked(to: string, newEmail: string): Mail {
  return {
    to,
    subject: 'Your e-mail address is about to change',
    text: `Somebody signed in as you asked to use ${newEmail} for your sign-in to the Symbolon portal. It changes when a
code that we mailed there is entered.

${NOT_YOU}
`,
  };
}

export function emailChanged(to: string, newEmail: string): Mail {
  return {
    to,
    subject: 'Your e-mail address has changed',
    text: `You now sign in to the Symbolon portal with ${newEmail}. This is the last mail to this address.

${NOT_YOU}
`,
  };
}

export function passwordChanged(to: string): Mail {
  return {
    to,
    subject: 'Your password has changed',
    text: `The password of your sign-in to the Symbolon portal has changed. Other sessions have ended.

${NOT_YOU}
`,
  };
}

export function secondFactorOn(to: string): Mail {
  return {
    to,
    subject: 'The second factor is on',
    text: `Signing in to the Symbolon portal now takes a code of your authenticator app. Keep the recovery codes where you
find them without your phone.

${NOT_YOU}
`,
  };
}

export function secondFactorOff(to: string): Mail {
  return {
    to,
    subject: 'The second factor is off',
    text: `Signing in to the Symbolon portal takes your password alone from now on.

${NOT_YOU}
`,
  };
}

export function recoveryCodeUsed(to: string): Mail {
  return {
    to,
    subject: 'A recovery code was used',
    text: `Somebody signed in to the Symbolon portal as you with a recovery code. That code is used up.

${NOT_YOU}
`,
  };
}

export function deletionCode(to: string, code: string, company: string, minutes: number): Mail {
  return {
    to,
    subject: `${code} confirms the deletion of ${company}`,
    text: `${code} confirms that the account of ${company} is to be deleted, with its services, connections and keys.

Enter it within ${minutes} minutes. There are 14 days after that in which you can take it back.

You did not ask for this? Do not enter the code, and change your password.
`,
  };
}

export function deletionConfirmed(to: string, company: string, dueAt: string): Mail {
  return {
    to,
    subject: `${company} will be deleted`,
    text: `The account of ${company} will be deleted on ${dueAt}, with its services, connections and keys. Until
then an owner can take this back in the portal.

${NOT_YOU}
`,
  };
}

export function deletionWithdrawn(to: string, company: string): Mail {
  return {
    to,
    subject: `${company} will not be deleted`,
    text: `The deletion of the account of ${company} was taken back. Everything stays as it is.
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
