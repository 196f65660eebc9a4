import { fingerprintWords } from '@symbolon/crypto';
import { writeLine } from '../terminal/output.ts';
import { jsonLine } from '../terminal/text.ts';
import { readInput } from './files.ts';
import { findPassphrase } from './passphrase.ts';
import { readPublicKey } from './public-key.ts';

/** Prints the fingerprint as the platform shows it (wire 2.3), or the words that people compare (wire 5.10). */
export async function printFingerprint(
  file: string,
  options: { passphraseFile?: string; words?: boolean; json?: boolean },
): Promise<void> {
  const { publicKey, sha256 } = await readPublicKey(await readInput(file), () =>
    findPassphrase(options.passphraseFile),
  );
  if (!options.json) return writeLine(options.words ? await fingerprintWords(sha256) : sha256);
  const words = await fingerprintWords(sha256);
  await writeLine(jsonLine({ public_key: publicKey, public_key_sha256: sha256, words }));
}
