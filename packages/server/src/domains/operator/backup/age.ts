import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { ConfigError } from '../../../core/config-error.ts';
import { BackupError } from './format.ts';

/** How a file of age begins (age-encryption.org/v1). */
const MAGIC = 'age-encryption.org/v1\n';
/** Public keys that resist quantum computers; one that does not, beside them, would take that away. */
const HYBRID = /^age1(tag)?pq1/;
const IDENTITY = /^AGE-SECRET-KEY-[0-9A-Z-]{10,4000}$/;
const IDENTITIES_MOST = 100;

// Processes without a schedule start sooner without it.
const library = () => import('age-encryption');

export interface KeyPair {
  /** The private key, `AGE-SECRET-KEY-…`. */
  readonly identity: string;
  readonly recipient: string;
}

/** A new pair of keys, of the kind that the others are of. */
export async function createKeyPair(beside: readonly string[] = []): Promise<KeyPair> {
  const age = await library();
  const identity = await (beside.some((one) => HYBRID.test(one))
    ? age.generateHybridIdentity()
    : age.generateX25519Identity());
  return { identity, recipient: await age.identityToRecipient(identity) };
}

/** @throws {ConfigError} for a public key with a mistyped character */
export async function checkRecipients(recipients: readonly string[]): Promise<void> {
  const age = await library();
  for (const recipient of recipients) {
    try {
      new age.Encrypter().addRecipient(recipient);
    } catch (cause) {
      throw new ConfigError(`SYMBOLON_BACKUP_RECIPIENTS has ${recipient}, which is no public key of age.`, {
        cause,
      });
    }
  }
}

/** Encrypts a stream so that each of the recipients can open it. */
export async function encrypted(source: Readable, recipients: readonly string[]): Promise<Readable> {
  const age = await library();
  const encrypter = new age.Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  return Readable.fromWeb((await encrypter.encrypt(webOf(source))) as never);
}

/** @throws {BackupError} when none of the private keys opens it, or at its reader when it is damaged */
export async function decrypted(source: Readable, identities: readonly string[]): Promise<Readable> {
  const age = await library();
  const decrypter = new age.Decrypter();
  try {
    for (const identity of identities) decrypter.addIdentity(identity);
    return Readable.fromWeb((await decrypter.decrypt(webOf(source))) as never);
  } catch (cause) {
    source.destroy();
    throw new BackupError('The backup does not open: it is encrypted to another key, or damaged.', { cause });
  }
}

const webOf = (source: Readable) => Readable.toWeb(source) as unknown as ReadableStream<Uint8Array>;

/** Whether a file is encrypted. */
export async function isEncrypted(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0);
    return buffer.toString('latin1', 0, bytesRead) === MAGIC;
  } finally {
    await file.close();
  }
}

/** The private keys in the text of a file, as age-keygen writes it. @throws {BackupError}, which repeats nothing of it */
export function identitiesIn(text: string): string[] {
  const lines = text.split(/\r?\n/).map((row) => row.trim());
  const identities = lines.filter((row) => row !== '' && !row.startsWith('#'));
  if (identities.length > 0 && identities.length <= IDENTITIES_MOST && identities.every(isIdentity))
    return identities;
  throw new BackupError(
    'The key file takes lines with private keys of age, which begin with AGE-SECRET-KEY-.',
  );
}

const isIdentity = (row: string) => IDENTITY.test(row);

/** Writes what an encrypted file holds into a new one. @throws {BackupError} */
export async function decryptFile(
  source: string,
  target: string,
  identities: readonly string[],
): Promise<void> {
  const plain = await decrypted(createReadStream(source), identities);
  const file = await open(target, 'wx', 0o600);
  try {
    for await (const chunk of plain) await file.writeFile(chunk as Buffer);
    await file.sync();
  } catch (cause) {
    if ((cause as { syscall?: string }).syscall !== undefined) throw cause;
    throw new BackupError('The backup is damaged, or cut off.', { cause });
  } finally {
    await file.close();
  }
}
