import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { textOfFile } from '@symbolon/crypto/node';
import { BackupError, decryptFile, identitiesIn, isEncrypted } from '@symbolon/server/backup';
import { Problem } from '../problem.ts';

/**
 * A backup that can be read; an encrypted one is opened into the data folder until the caller is done with it.
 * @throws {Problem} without a key that opens it
 */
export async function opened(
  file: string,
  identityFile: string | undefined,
  dataDir: string,
): Promise<{ path: string } & AsyncDisposable> {
  try {
    if (!(await isEncrypted(file))) return { path: file, async [Symbol.asyncDispose]() {} };
    const identities = await identitiesOf(file, identityFile);
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const path = join(dataDir, `opened-${process.pid}.backup`);
    const remove = () => rm(path, { force: true });
    try {
      await decryptFile(file, path, identities);
    } catch (error) {
      await remove();
      throw error;
    }
    return { path, [Symbol.asyncDispose]: remove };
  } catch (error) {
    throw explained(error);
  }
}

/** The private keys for a file; none for one that is not encrypted. @throws {Problem} */
export async function identitiesOf(file: string, identityFile: string | undefined): Promise<string[]> {
  if (!(await isEncrypted(file))) return [];
  if (identityFile === undefined) {
    throw new Problem(`${file} is encrypted: --identity names the file with the private key.`, {
      exitCode: 2,
    });
  }
  return identitiesIn(textOfFile(await readFile(identityFile)));
}

export function explained(error: unknown): unknown {
  return error instanceof BackupError ? new Problem(error.message, { cause: error }) : error;
}
