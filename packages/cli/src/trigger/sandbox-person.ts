import { hash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { textOfFile } from '@symbolon/crypto/node';
import { AuthenticationError, ForbiddenError, PersonClient } from '@symbolon/sdk/person';
import { replacePrivate } from '../files/whole-file.ts';
import { configFolder } from '../profile/config-folder.ts';
import { askLine } from '../terminal/ask-line.ts';

type Kept = { base_url: string; email: string; password: string; recovery_code: string; share_code: string };

export type SandboxPerson = { client: PersonClient; password: string; isNew: boolean };

/** The person that acts for tests on a platform: the one used before, or a new one when there is none (any more). */
export async function sandboxPerson(baseUrl: string): Promise<SandboxPerson> {
  const file = join(configFolder(), 'sandbox', `${hash('sha256', baseUrl, 'hex').slice(0, 16)}.json`);
  const kept = read(file);
  if (kept !== undefined) {
    const { email, password } = kept;
    try {
      return { client: await PersonClient.login({ baseUrl, email, password }), password, isNew: false };
    } catch (error) {
      // Another platform stands at this address now, as after a second demo.
      const isGone = error instanceof AuthenticationError && error.errorKey === 'auth.credentials_invalid';
      if (!isGone) throw error;
    }
  }
  const password = randomBytes(18).toString('base64url');
  const { email, client, recoveryCode } = await register(baseUrl, password);
  const fresh: Kept = {
    base_url: baseUrl,
    email,
    password,
    recovery_code: recoveryCode,
    share_code: client.person.share_code,
  };
  replacePrivate(file, `${JSON.stringify(fresh, null, 2)}\n`);
  return { client, password, isNew: true };
}

/** A platform that mails a code needs an address with a mailbox; one for tests alone takes any. */
async function register(baseUrl: string, password: string) {
  const person = { baseUrl, displayName: 'Sandbox', password };
  const email = `sandbox-${randomBytes(6).toString('hex')}@sandbox.example`;
  try {
    return { email, ...(await PersonClient.register({ ...person, email })) };
  } catch (error) {
    const isMailed = error instanceof ForbiddenError && error.errorKey === 'account.confirmation_required';
    if (!isMailed) throw error;
  }
  const real =
    process.env.SYMBOLON_SANDBOX_EMAIL ||
    (await askLine('E-mail address for the sandbox person', `${MAILED} Run this at a terminal once.`));
  const code = () => askLine(`Code mailed to ${real}`, `${MAILED} Run this at a terminal once.`);
  return { email: real, ...(await PersonClient.register({ ...person, email: real, code })) };
}

function read(file: string): Kept | undefined {
  try {
    const kept = JSON.parse(textOfFile(readFileSync(file)));
    return typeof kept?.email === 'string' && typeof kept.password === 'string' ? kept : undefined;
  } catch {
    return undefined;
  }
}

const MAILED = 'There is no sandbox person yet, and this platform mails a code to register one.';
