import { randomBytes } from 'node:crypto';
import { findProfile, writeProfile } from '../profile/profile.ts';
import { writeLine } from '../terminal/output.ts';

/** The secret of a profile's deliveries, made when it is first asked for. */
export function secretOf(profileName: string | undefined): string {
  const { name, profile } = findProfile(profileName);
  if (profile.webhook_secret) return profile.webhook_secret;
  const webhook_secret = freshSecret();
  writeProfile(name, { ...profile, webhook_secret });
  return webhook_secret;
}

export function freshSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`;
}

/** For scripts: WEBHOOK_SECRET=$(symbolon listen --print-secret). */
export async function printSecret(profileName: string | undefined): Promise<void> {
  await writeLine(secretOf(profileName));
}
