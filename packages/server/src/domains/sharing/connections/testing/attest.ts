import type { TestPlatform } from '@symbolon/testkit/platform/platform';
import { isoTime } from '../../../../core/clock.ts';

/** Gives a field an attestation of any age, as if it had been verified then. */
export async function attest(
  platform: TestPlatform,
  fieldId: string,
  attestation: { at: number; expiresAt?: number },
): Promise<void> {
  const verification = JSON.stringify({
    verified_hash: 'a'.repeat(64),
    verified_salt: 'b'.repeat(32),
    verified_at: isoTime(attestation.at),
    ...(attestation.expiresAt === undefined ? {} : { verified_expires_at: isoTime(attestation.expiresAt) }),
    verified_method: 'email_code',
    verified_provider: 'symbolon',
    verification_id: platform.context.ids.uuid(),
  });
  await platform.context.database.write((writer) =>
    writer.updateTable('person_fields').set({ verification }).where('id', '=', fieldId).execute(),
  );
}
