import { writeLine } from '../terminal/output.ts';
import { jsonLine } from '../terminal/text.ts';
import { readInput } from './files.ts';
import { findPassphrase } from './passphrase.ts';
import { readPublicKey } from './public-key.ts';

/** Prints the fingerprint as the platform shows it (wire 2.3). */
export async function printFingerprint(
  file: string,
  options: { passphraseFile?: string; json?: boolean },
): Promise<void> {
  const { publicKey, sha256 } = await readPublicKey(readInput(file), () =>
    findPassphrase(options.passphraseFile),
  );
  await writeLine(options.json ? jsonLine({ public_key: publicKey, public_key_sha256: sha256 }) : sha256);
}
