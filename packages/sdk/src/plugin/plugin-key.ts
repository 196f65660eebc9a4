import { createPrivateKey, randomUUID } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import { generateKeyPair } from '@symbolon/crypto';

/**
 * The private key of a plugin from a PEM file, which is made when it is not there. Only its owner can read the file.
 *
 * @returns PKCS#8 DER, for `createPlugin`
 */
export async function pluginKey(path: string): Promise<Uint8Array> {
  const present = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (present !== undefined) return der(present);
  const { privateKey } = await generateKeyPair();
  const pem = createPrivateKey({ key: Buffer.from(privateKey), format: 'der', type: 'pkcs8' }).export({
    format: 'pem',
    type: 'pkcs8',
  });
  // It has its name once it is whole. Of two first starts one names it, and both read that key.
  const unfinished = `${path}.${randomUUID()}`;
  await writeFile(unfinished, pem, { mode: 0o600 });
  await link(unfinished, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(unfinished);
  return der(await readFile(path, 'utf8'));
}

const der = (pem: string) => createPrivateKey(pem).export({ format: 'der', type: 'pkcs8' });
