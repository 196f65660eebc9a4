import { decryptPrivateKey, encryptPem } from '@symbolon/crypto';
import { textOfFile } from '@symbolon/crypto/node';
import { writePrivate } from '../files/whole-file.ts';
import { Problem } from '../problem.ts';
import { writeLine } from '../terminal/output.ts';
import { readInput } from './files.ts';
import { findPassphrase } from './passphrase.ts';

/** Turns the wrapped JSON of wire 2.2 into the downloadable PEM, here: the server could not, it has no passphrase. */
export async function convertToPem(
  file: string,
  options: { passphraseFile?: string; out?: string },
): Promise<void> {
  const encrypted = wrappedKeyIn(textOfFile(await readInput(file)));
  const passphrase = await findPassphrase(options.passphraseFile);
  // Anything but the four members of the recipe is refused there.
  const pkcs8 = await decryptPrivateKey(encrypted as Parameters<typeof decryptPrivateKey>[0], passphrase);
  const pem = await encryptPem(pkcs8, passphrase);
  pkcs8.fill(0);
  if (options.out === undefined) return writeLine(pem.trimEnd());
  writePrivate(options.out, pem);
}

/** The bare object, or the answer of the private-key route with it inside. */
function wrappedKeyIn(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Problem('This is no JSON. Give the encrypted_private_key object {iter, salt, iv, data}.');
  }
  const member = (value as { encrypted_private_key?: unknown } | null)?.encrypted_private_key;
  return typeof member === 'string' ? JSON.parse(member) : (member ?? value);
}
