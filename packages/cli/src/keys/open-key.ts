import { createPrivateKey } from 'node:crypto';
import { decryptPem, inspectPem } from '@symbolon/crypto';
import { textOfFile } from '@symbolon/crypto/node';
import { writePrivate } from '../files/whole-file.ts';
import { writeLine } from '../terminal/output.ts';
import { createPaint } from '../terminal/paint.ts';
import { jsonLine } from '../terminal/text.ts';
import { readInput } from './files.ts';
import { findPassphrase } from './passphrase.ts';
import { publicKeyOf } from './public-key.ts';

/** Opens an encrypted private key and shows its public half; writes it decrypted only when asked to. */
export async function openKey(
  file: string,
  options: { passphraseFile?: string; out?: string; json?: boolean },
): Promise<void> {
  const pem = textOfFile(await readInput(file));
  const { cipher, prf, iterations } = inspectPem(pem);
  const pkcs8 = await decryptPem(pem, await findPassphrase(options.passphraseFile));
  const { publicKey, sha256 } = await publicKeyOf(pkcs8);
  if (options.out !== undefined) {
    const key = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' });
    writePrivate(options.out, key.export({ format: 'pem', type: 'pkcs8' }).toString());
  }
  pkcs8.fill(0);
  if (options.json) {
    const protection = { cipher, prf, iterations };
    return writeLine(jsonLine({ public_key: publicKey, public_key_sha256: sha256, protection }));
  }
  const { bold, dim, good, name } = createPaint(process.stdout);
  await writeLine(
    `${good('✓')} The passphrase opens the key.  ${dim(`${cipher}, PBKDF2 ${prf}, ${iterations} iterations`)}`,
  );
  await writeLine(`${bold('Fingerprint')}  ${name(sha256)}`);
  await writeLine(`${bold('Public key')}   ${publicKey}`);
  if (options.out !== undefined) {
    await writeLine(
      `${bold('Decrypted')}    ${options.out}  ${dim('nothing protects it now but the permissions of the file')}`,
    );
  }
}
