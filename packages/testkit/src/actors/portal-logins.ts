import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { PortalRole } from '@symbolon/protocol';
import type { Answer, Callable } from '../platform/calls.ts';
import { eventually } from '../platform/eventually.ts';
import type { TestPlatform } from '../platform/platform.ts';
import { credentials } from './accounts.ts';
import { sharedPublicKey, type TestCompany } from './actors.ts';
import { mailsTo } from './mails.ts';
import { fromBase32, totpCode } from './totp.ts';

/** A login of a company, signed in to its portal. */
export interface TestLogin {
  readonly id: string;
  readonly email: string;
  readonly loginSecret: string;
  readonly recoverySecret: string;
  readonly token: string;
}

/** Invites a person to a company and accepts for them. */
export async function addDelegate(
  platform: TestPlatform,
  company: TestCompany,
  role: PortalRole,
): Promise<TestLogin> {
  const email = `${role}-${randomBytes(6).toString('hex')}@example.com`;
  await platform.must('POST', '/api/delegates', { token: company.token, body: { email, role } });
  const material = await loginMaterial();
  const { token, login } = await platform.must('POST', '/api/portal/invitation/accept', {
    body: { token: await invitationToken(platform, email), name: `The ${role}`, ...material },
  });
  const loginSecret = material.login_secret;
  return { id: login.id, email, loginSecret, recoverySecret: material.recovery.secret, token };
}

/** The keys of a login, as a device makes them. */
export async function loginMaterial() {
  return { key: { public_key: await sharedPublicKey() }, ...credentials() };
}

/** A login secret of no account. */
export const WRONG_SECRET = Buffer.alloc(32, 7).toString('base64');

/** A new password by itself. */
export function newPassword() {
  const { recovery: _recovery, ...password } = credentials();
  return password;
}

/** Signs a login in; gives the session's token. */
export async function signIn(
  platform: Callable,
  { email, loginSecret }: { email: string; loginSecret: string },
): Promise<string> {
  const body = { email, login_secret: loginSecret };
  return (await platform.must('POST', '/api/portal/sign-in', { body })).token;
}

/** Reads what takes a proof of presence, as the portal does. */
export async function readProven(
  platform: Callable,
  { token, loginSecret }: { token: string; loginSecret: string },
  path: string,
): Promise<Answer> {
  const { proof } = await platform.must('POST', '/api/account/proofs', {
    token,
    body: { login_secret: loginSecret, for: `GET ${path}` },
  });
  return platform.call('GET', path, { token, headers: { 'x-platform-proof': proof } });
}

/** The token of the last invitation that was mailed to an address. */
export async function invitationToken(platform: TestPlatform, email: string): Promise<string> {
  const token = /portal\/invitation#([\w-]+)/.exec(await lastMail(platform, email))?.[1];
  assert.ok(token, 'no invitation was mailed');
  return token;
}

/** The code of the last mail to an address that has one, which may be sent after the answer. */
export async function mailedCode(platform: TestPlatform, email: string): Promise<string> {
  // A subject with quotes is an encoded word (RFC 2047).
  const subject = /^Subject: (?:=\?UTF-8\?Q\?)?(\d{6})[ _]/m;
  return eventually(`a code is mailed to ${email}`, async () => {
    const codes = (await mailsTo(platform, email)).map((mail) => subject.exec(mail)?.[1]);
    return codes.findLast((found) => found !== undefined);
  });
}

/** The code of the last mail to an address, once there are so many mails to it: it is sent after the answer. */
export async function codeOfMail(platform: TestPlatform, email: string, count = 1): Promise<string> {
  await eventually(`mail ${count} to ${email}`, async () =>
    (await mailsTo(platform, email)).length >= count ? true : undefined,
  );
  return mailedCode(platform, email);
}

/** The last mail to an address, decoded. */
export async function lastMail(platform: TestPlatform, email: string): Promise<string> {
  return (await mailsTo(platform, email)).at(-1) ?? '';
}

/** An account that proves to be present. */
export interface ProvingAccount {
  readonly token: string;
  readonly email: string;
  readonly loginSecret: string;
}

/** The proof of an account without a second factor for what its login secret alone does not do: with a mailed code. */
export async function mailedProof(platform: TestPlatform, account: ProvingAccount, act: string) {
  const { token, email, loginSecret: login_secret } = account;
  const at = act.includes(' /api/account/') ? '/api/account/2fa/presence' : '/api/person/presence';
  await platform.must('POST', `${at}/mailed-code`, { token, body: { act } });
  return { login_secret, mailed_code: await mailedCode(platform, email) };
}

/** An admin who joins the company requires a second factor of all its logins. */
export async function requireSecondFactor(platform: TestPlatform, company: TestCompany): Promise<void> {
  const admin = await addDelegate(platform, company, 'admin');
  const { recoveryCodes: codes } = await enrolSecondFactor(platform, admin);
  const { body } = await platform.call('POST', '/api/portal/sign-in', {
    body: { email: admin.email, login_secret: admin.loginSecret },
  });
  const { token } = await platform.must('POST', '/api/portal/sign-in/second-factor', {
    body: { ticket: body.ticket, recovery_code: codes[0] },
  });
  await platform.must('PUT', '/api/account/sign-in-policy', {
    token,
    body: { login_secret: admin.loginSecret, recovery_code: codes[1], second_factor: 'required' },
  });
}

/** Switches the second factor of a login on; gives what makes its codes, and the recovery codes. */
export async function enrolSecondFactor(platform: TestPlatform, login: ProvingAccount) {
  const { token } = login;
  const enrolment = await platform.must('POST', '/api/account/2fa/enrol', {
    token,
    body: await mailedProof(platform, login, 'POST /api/account/2fa/enrol'),
  });
  const secret = fromBase32(enrolment.secret);
  const code = () => totpCode(secret, platform.clock.now());
  const confirmed = await platform.must('POST', '/api/account/2fa/confirm', {
    token,
    body: { code: code() },
  });
  return { code, recoveryCodes: confirmed.recovery_codes as string[] };
}
