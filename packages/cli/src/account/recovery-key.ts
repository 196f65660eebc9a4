import { fingerprint, fingerprintWords } from '@symbolon/crypto';
import { Problem } from '../problem.ts';
import { enterAccount } from '../profile/enter-portal.ts';
import { writeProfile } from '../profile/profile.ts';
import { writeLine } from '../terminal/output.ts';
import { createPaint } from '../terminal/paint.ts';
import { jsonLine } from '../terminal/text.ts';

/**
 * Shows the company's recovery key, computed from the key itself, and keeps in the profile that it was confirmed.
 *
 * @throws Problem when the confirmed fingerprint is not that of the key
 */
export async function recoveryKey(options: {
  profile?: string;
  json?: boolean;
  confirm?: string;
}): Promise<void> {
  const { client, name, profile } = await enterAccount(options);
  const sha256 = await fingerprint((await client.recoveryKey()).public_key);
  const words = await fingerprintWords(sha256);
  if (options.confirm !== undefined) {
    if (options.confirm.toLowerCase() !== sha256) {
      throw new Problem('The platform names a recovery key with another fingerprint. Nothing was confirmed.');
    }
    writeProfile(name, { ...profile, recovery_key_fingerprint: sha256 });
  }
  const isConfirmed = options.confirm !== undefined || profile.recovery_key_fingerprint === sha256;
  if (options.json) return writeLine(jsonLine({ fingerprint: sha256, words, confirmed: isConfirmed }));
  const { bold, dim, good } = createPaint(process.stdout);
  await writeLine(`${bold('Fingerprint')}  ${sha256}`);
  await writeLine(`${bold('Words')}        ${words}`);
  await writeLine(
    isConfirmed
      ? `${good('✓')} confirmed  ${dim(`profile ${name}`)}`
      : dim('Compare the words with the person who registered the company, then: --confirm FINGERPRINT'),
  );
}
