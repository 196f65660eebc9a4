import type { Company } from '@symbolon/protocol';
import { PortalClient, type SecondFactor } from '@symbolon/sdk/portal';
import { Problem } from '../problem.ts';
import { askLine } from '../terminal/ask-line.ts';
import { askSecret } from '../terminal/ask-secret.ts';
import { writeLine } from '../terminal/output.ts';
import { createPaint } from '../terminal/paint.ts';
import { printable } from '../terminal/text.ts';
import { platformUrl } from './caller.ts';
import {
  askedProfile,
  DEFAULT_PROFILE,
  findProfile,
  type Profile,
  readProfile,
  removeProfile,
  writeProfile,
} from './profile.ts';

/** Signs a company in and keeps the session; the password is not kept. */
export async function logIn(options: { url?: string; email?: string; profile?: string }): Promise<void> {
  const { env } = process;
  const name = askedProfile(options.profile) ?? DEFAULT_PROFILE;
  const before = readProfile(name);
  const baseUrl = platformUrl(options.url, before?.base_url);
  const email =
    options.email ??
    (env.SYMBOLON_EMAIL || (await askLine('E-mail', 'Give the e-mail with --email or in SYMBOLON_EMAIL.')));
  const password =
    env.SYMBOLON_PASSWORD || (await askSecret('Password', 'Give the password in SYMBOLON_PASSWORD.'));
  const isSame = before?.base_url === baseUrl && before.email === email;
  const lastVersion = isSame && before.login_version ? Number(before.login_version) : undefined;
  const portal = await PortalClient.signIn({ baseUrl, email, password, secondFactor, lastVersion });
  const company = await keepSession(name, portal, { baseUrl, email }, isSame ? before : undefined);
  const { expiresAt } = portal.session;
  const paint = createPaint(process.stdout);
  await writeLine(
    `${paint.good('✓')} ${paint.bold(printable(company.name))} on ${paint.name(baseUrl)}, signed in until ${timeOf(expiresAt)}  ${paint.dim(`profile ${name}`)}`,
  );
}

/** Keeps a session in the profile, with what was in it before. */
export async function keepSession(
  name: string,
  portal: PortalClient,
  { baseUrl, email }: { baseUrl: string; email: string },
  before?: Profile,
): Promise<Company> {
  const company = await portal.account();
  const { token, expiresAt } = portal.session;
  const fingerprint = await portal.recoveryKeyFingerprint();
  writeProfile(name, {
    ...before,
    base_url: baseUrl,
    email,
    token,
    expires_at: expiresAt,
    login_version: String(portal.loginVersion),
    ...(fingerprint !== undefined && { recovery_key_fingerprint: fingerprint }),
  });
  return company;
}

/** Six digits are the authenticator app's; anything else is a recovery code. */
async function secondFactor(): Promise<SecondFactor> {
  const given =
    process.env.SYMBOLON_CODE ||
    (await askSecret(
      'Code of your authenticator app, or a recovery code',
      'Give the code in SYMBOLON_CODE.',
    ));
  return /^\s*\d{3}\s*\d{3}\s*$/.test(given) ? { code: given } : { recoveryCode: given };
}

/** Ends the session and forgets it. */
export async function logOut(options: { profile?: string }): Promise<void> {
  const { name, profile } = findProfile(options.profile);
  const { base_url: baseUrl, token, expires_at: expiresAt } = profile;
  try {
    await PortalClient.resume({ baseUrl, token, expiresAt }).signOut();
  } catch (error) {
    const { status, errorKey } = error as { status?: number; errorKey?: string };
    // A session that is over needs no end.
    if (status !== 401) {
      throw new Problem(
        `The session was not ended: ${baseUrl} does not answer as it should (${errorKey ?? 'no answer'}). The profile ${name} stays.`,
        { cause: error },
      );
    }
  }
  removeProfile(name);
  await writeLine(`Signed out; the profile ${name} is gone.`);
}

function timeOf(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}
