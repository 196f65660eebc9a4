import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createServiceKey, fingerprint } from '@symbolon/crypto';
import { writePrivate } from '../files/whole-file.ts';
import { Problem } from '../problem.ts';
import { writeLine } from '../terminal/output.ts';
import { createPaint } from '../terminal/paint.ts';
import { jsonLine } from '../terminal/text.ts';
import { publicKeyPem } from './public-key.ts';

/** Makes a service key by the recipe of wire 2.2; with a folder the passphrase goes into a file, else it is printed. */
export async function generateKey(options: {
  out?: string;
  name: string;
  adminEmail: string;
  json?: boolean;
}): Promise<void> {
  const { out } = options;
  const files = out === undefined ? undefined : namesIn(out);
  const taken = files && Object.values(files).find((file) => existsSync(file));
  if (taken !== undefined) {
    throw new Problem(
      `${taken} is there already, and it may be the only copy of a key. Choose another --out.`,
    );
  }
  const key = await createServiceKey();
  const sha256 = await fingerprint(key.publicKey);
  const payload = {
    name: options.name,
    admin_email: options.adminEmail,
    public_key: key.publicKey,
    encrypted_private_key: key.encryptedPrivateKey,
    private_key_pem: key.privateKeyPem,
  };
  if (files !== undefined) {
    writePrivate(files.private_key_file, key.privateKeyPem);
    writePrivate(files.passphrase_file, `${key.passphrase}\n`);
    writePrivate(files.public_key_file, publicKeyPem(key.publicKey));
    writePrivate(files.create_service_file, `${JSON.stringify(payload, null, 2)}\n`);
  }
  if (options.json) {
    const secrets = files ?? { passphrase: key.passphrase, create_service: payload };
    return writeLine(jsonLine({ public_key: key.publicKey, public_key_sha256: sha256, ...secrets }));
  }
  const { bold, dim, name } = createPaint(process.stdout);
  await writeLine(`${bold('Fingerprint')}  ${name(sha256)}`);
  if (files !== undefined) {
    await writeLine(
      `${bold('Private key')}  ${files.private_key_file}  ${dim('encrypted; OpenSSL opens it')}`,
    );
    await writeLine(`${bold('Passphrase')}   ${files.passphrase_file}  ${dim('move it to a safe place')}`);
    await writeLine(`${bold('Public key')}   ${files.public_key_file}`);
    await writeLine(
      `${bold('Request')}      ${files.create_service_file}  ${dim('body of POST /api/services')}`,
    );
    return;
  }
  await writeLine(
    `\n${bold('Passphrase')}  ${dim('shown this once; without it no value can be read')}\n${key.passphrase}`,
  );
  await writeLine(
    `\n${bold('Private key')}  ${dim('encrypted; OpenSSL opens it')}\n${key.privateKeyPem.trimEnd()}`,
  );
  await writeLine(`\n${bold('Public key')}\n${publicKeyPem(key.publicKey).trimEnd()}`);
  await writeLine(`\n${bold('Body of POST /api/services')}\n${JSON.stringify(payload, null, 2)}`);
}

function namesIn(folder: string) {
  return {
    private_key_file: join(folder, 'service-key.pem'),
    passphrase_file: join(folder, 'passphrase.txt'),
    public_key_file: join(folder, 'public-key.pem'),
    create_service_file: join(folder, 'create-service.json'),
  };
}
