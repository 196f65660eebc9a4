import { inMail, type Mail } from '../core/mail.ts';

/*
 * Mails about a login, a person's or one of the portal. The code or the change stands first. No mail holds a secret
 * except its code, and none a link that confirms something.
 */

export type LoginKind = 'person' | 'portal';

const WHAT = { person: 'your Symbolon account', portal: 'your sign-in to the Symbolon portal' } as const;

/** Where one signs in. */
const WHERE = { person: 'Symbolon', portal: 'the Symbolon portal' } as const;

export const NOT_YOU = {
  person: `Was that not you? Then set a new password at once, with your recovery code if your password no longer works.`,
  portal: `Was that not you? Then change your password in the portal at once, and look at the sessions and the
audit log of your account.`,
} as const;

/** A name that a user chose, in a mail: quotes show where it ends. */
export const quoted = (name: string) => `"${inMail(name)}"`;

export function registrationCode(kind: LoginKind, to: string, code: string, minutes: number): Mail {
  const what = kind === 'person' ? 'a Symbolon account' : 'a company on Symbolon';
  return {
    to,
    subject: `${code} is your registration code`,
    code,
    text: `${code} confirms this address. With it you finish registering ${what}.

Enter it within ${minutes} minutes. Keep it to yourself: we never ask for it.

You did not register? Then there is nothing to do. Without the code, no account is made.
`,
  };
}

/** To an address that is registered again although it has an account. */
export function alreadyRegistered(kind: LoginKind, to: string): Mail {
  const how =
    kind === 'person'
      ? 'Sign in with your password, or set a new one with your recovery code.'
      : 'Sign in to the portal with your password, or set a new one with your recovery code.';
  return {
    to,
    subject: 'This address has an account already',
    text: `Somebody asked to register with this address. It belongs to an account already, so nothing changes.

If it was you: ${how}
`,
  };
}

export function emailChangeCode(kind: LoginKind, to: string, code: string, minutes: number): Mail {
  return {
    to,
    subject: `${code} is your confirmation code`,
    code,
    text: `${code} confirms this address for ${WHAT[kind]}.

Enter it within ${minutes} minutes. Keep it to yourself: we never ask for it.

You did not ask for a code? Then there is nothing to do. Without it, nothing changes.
`,
  };
}

/** To the requested new address when it has an account already. */
export function emailInUse(kind: LoginKind, to: string): Mail {
  return {
    to,
    subject: 'This address has an account already',
    text: `Somebody asked to sign in to ${WHERE[kind]} with this address from now on. It belongs to an account already,
so nothing changes.

If it was you, use another address, or change the address of the other account first.
`,
  };
}

export function emailChangeAsked(kind: LoginKind, to: string, newEmail: string): Mail {
  return {
    to,
    subject: 'Your e-mail address is about to change',
    text: `Somebody signed in as you asked to use ${newEmail} for ${WHAT[kind]}. It changes when a
code that we mailed there is entered.

${NOT_YOU[kind]}
`,
  };
}

export function emailChanged(kind: LoginKind, to: string, newEmail: string): Mail {
  return {
    to,
    subject: 'Your e-mail address has changed',
    text: `You now sign in to ${WHERE[kind]} with ${newEmail}. This is the last mail to this address.

${NOT_YOU[kind]}
`,
  };
}

export function passwordChanged(kind: LoginKind, to: string): Mail {
  return {
    to,
    subject: 'Your password has changed',
    text: `The password of ${WHAT[kind]} has changed. Other sessions have ended.

${NOT_YOU[kind]}
`,
  };
}

export function recovered(kind: LoginKind, to: string): Mail {
  return {
    to,
    subject: 'Your password was reset with your recovery code',
    text: `Somebody set a new password for ${WHAT[kind]} with its recovery code. All sessions have ended. That code is used
up: the new one was shown when the password was set.

${NOT_YOU[kind]}
`,
  };
}

export function recoveryCodeReplaced(kind: LoginKind, to: string): Mail {
  return {
    to,
    subject: 'You have a new recovery code',
    text: `A new recovery code was made for ${WHAT[kind]}. The one before it no longer works.

${NOT_YOU[kind]}
`,
  };
}

export function secondFactorOn(kind: LoginKind, to: string): Mail {
  return {
    to,
    subject: 'The second factor is on',
    text: `Signing in to ${WHERE[kind]} now takes a code of your authenticator app. Keep the recovery codes where you find
them without your phone.

${NOT_YOU[kind]}
`,
  };
}

export function secondFactorOff(kind: LoginKind, to: string): Mail {
  return {
    to,
    subject: 'The second factor is off',
    text: `Signing in to ${WHERE[kind]} takes your password alone from now on.

${NOT_YOU[kind]}
`,
  };
}

export function secondFactorCodesReplaced(kind: LoginKind, to: string): Mail {
  return {
    to,
    subject: 'You have new codes for a lost phone',
    text: `The recovery codes of your second factor were replaced. The ones before them no longer work.

${NOT_YOU[kind]}
`,
  };
}

export function recoveryCodeUsed(kind: LoginKind, to: string): Mail {
  return {
    to,
    subject: 'A recovery code was used',
    text: `Somebody signed in to ${WHERE[kind]} as you with a recovery code. That code is used up.

${NOT_YOU[kind]}
`,
  };
}

/** @param name that the passkey was given */
export function passkeyAdded(kind: LoginKind, to: string, name: string): Mail {
  return {
    to,
    subject: 'A passkey was added',
    text: `The passkey ${quoted(name)} was added to ${WHAT[kind]}. Its holder can sign in as you.

${NOT_YOU[kind]}
`,
  };
}

export function passkeyRemoved(kind: LoginKind, to: string, name: string): Mail {
  return {
    to,
    subject: 'A passkey was removed',
    text: `The passkey ${quoted(name)} was removed from ${WHAT[kind]}. It no longer works.

${NOT_YOU[kind]}
`,
  };
}
