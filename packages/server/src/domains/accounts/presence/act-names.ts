/*
 * What a mailed code approves, in the words of its mail. The act comes from the page that asks for the code, which an attacker
 * with the password may have written: only forms that routes use are named, and of their text nothing but codes.
 */
const NAMES: readonly (readonly [form: RegExp, name: string])[] = [
  [/^approve challenge [\w-]+$/, 'approving a login that a service asks you about'],
  [/^revoke enrolment [\w-]+$/, 'ending the right of a service to ask you for approvals'],
  [/^consent [\w-]+ [\da-f]{64}$/, 'approving what an app or a site asks of you'],
  [/^sign document [\w-]+ [\da-f]{64}$/, 'signing a document'],
  [/^accept document [\w-]+ (?:[\da-f]{64}|-)$/, 'accepting a document'],
  [/^connect ([A-Z\d]{1,20})\/([A-Z\d]{1,20})$/, 'connecting to the service "$1/$2"'],
  [/^POST \/api\/(?:person|account)\/passkeys\/options$/, 'adding a passkey'],
  [/^POST \/api\/(?:person|account)\/passkeys\/[\w-]+\/remove$/, 'removing a passkey'],
  [/^POST \/api\/(?:person\/totp|account\/2fa)\/enrol$/, 'setting up an authenticator app'],
  [/^PUT \/api\/(?:person|account)\/password$/, 'setting a new password'],
  [/^PUT \/api\/(?:person|account)\/recovery-code$/, 'making a new recovery code'],
  [/^DELETE \/api\/person$/, 'deleting your account'],
  [/^POST \/api\/person\/email$/, 'changing the address of your account'],
  [/^POST \/api\/account\/email$/, 'changing the address of your sign-in'],
  [/^POST \/api\/account\/delete-request$/, 'asking to delete the company'],
  [/^POST \/api\/account-key$/, 'reading the private key of the company'],
  [/^POST \/api\/account\/recovery-key\/[\w-]+$/, 'opening or replacing the recovery key of the company'],
  [/^POST \/api\/profile\/migrate-region$/, 'moving the company to another region'],
  [/^GET \/api\/[\w/-]+\/private-key(?:\.pem)?$/, 'reading a private key'],
  [/^[A-Z]+ \/api\/.*$/, 'changing something in your account'],
];

/** @param act as the route that takes the proof says it */
export function nameOfAct(act: string): string {
  for (const [form, name] of NAMES) if (form.test(act)) return act.replace(form, name);
  return 'something that this mail cannot name: enter the code only if you know what it is';
}
