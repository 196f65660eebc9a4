import { hash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AuthenticationError, PersonClient } from '@symbolon/sdk/person';
import { configFolder, replacePrivate } from '../profile/private-file.ts';

type Kept = { base_url: string; email: string; password: string; recovery_code: string; share_code: string };

/** The person that acts for tests on a platform: the one used before, or a new one when there is none (any more). */
export async function sandboxPerson(baseUrl: string): Promise<{ client: PersonClient; isNew: boolean }> {
  const file = join(configFolder(), 'sandbox', `${hash('sha256', baseUrl, 'hex').slice(0, 16)}.json`);
  const kept = read(file);
  if (kept !== undefined) {
    const { email, password } = kept;
    try {
      return { client: await PersonClient.login({ baseUrl, email, password }), isNew: false };
    } catch (error) {
      // Another platform stands at this address now, as after a second demo.
      const isGone = error instanceof AuthenticationError && error.errorKey === 'auth.credentials_invalid';
      if (!isGone) throw error;
    }
  }
  const email = `sandbox-${randomBytes(6).toString('hex')}@sandbox.example`;
  const password = randomBytes(18).toString('base64url');
  const person = { baseUrl, email, displayName: 'Sandbox', password };
  const { client, recoveryCode } = await PersonClient.register(person);
  const fresh: Kept = {
    base_url: baseUrl,
    email,
    password,
    recovery_code: recoveryCode,
    share_code: client.person.share_code,
  };
  replacePrivate(file, `${JSON.stringify(fresh, null, 2)}\n`);
  return { client, isNew: true };
}

function read(file: string): Kept | undefined {
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8'));
    return typeof kept?.email === 'string' && typeof kept.password === 'string' ? kept : undefined;
  } catch {
    return undefined;
  }
}
