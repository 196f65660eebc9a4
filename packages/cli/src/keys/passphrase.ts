import { readFileSync } from 'node:fs';
import { textOfFile } from '@symbolon/crypto/node';
import { Problem } from '../problem.ts';
import { askSecret } from '../terminal/ask-secret.ts';

/** The passphrase of a key: from the file, from `SYMBOLON_PASSPHRASE`, or asked for. */
export async function findPassphrase(file: string | undefined): Promise<string> {
  if (file !== undefined) {
    const passphrase = textOfFile(readFileSync(file)).replace(/\r?\n$/, '');
    if (passphrase === '')
      throw new Problem(`${file} is empty: it should hold the passphrase.`, { exitCode: 2 });
    return passphrase;
  }
  const { SYMBOLON_PASSPHRASE: fromEnvironment } = process.env;
  if (fromEnvironment) return fromEnvironment;
  return askSecret(
    'Passphrase',
    'Give the passphrase with --passphrase-file FILE or in SYMBOLON_PASSPHRASE.',
  );
}
