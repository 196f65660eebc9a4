import { readFileSync } from 'node:fs';
import { textOfFile } from '@symbolon/crypto/node';
import { ConfigError } from './config-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that hold a secret. Each may stand in a file, which `<name>_FILE` names: an environment is seen by more than its process. */
export const secretVariables = [
  'DATABASE_URL',
  'SYMBOLON_SECRET',
  'SYMBOLON_OPERATOR_TOKEN',
  'SYMBOLON_OPERATOR_READ_TOKEN',
  'SYMBOLON_REDIS_URL',
  'SYMBOLON_PEER_KEY',
  'SYMBOLON_SMTP_URL',
  'SYMBOLON_IDENTITY_SECRET',
  'SYMBOLON_SEAL_PASSWORD',
  'SYMBOLON_BACKUP_SCRATCH_URL',
  'SYMBOLON_DATABASE_DIRECT_URL',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
] as const;

export const fileVariable = (name: string) => `${name}_FILE`;

const BYTES_MOST = 65_536;

/**
 * The environment, with what stands in files. An empty variable counts as not set.
 * @throws {ConfigError}, which repeats nothing of a file
 */
export function withSecretFiles(environment: Environment): Environment {
  const found: Record<string, string | undefined> = { ...environment };
  for (const name of secretVariables) {
    const variable = fileVariable(name);
    const file = environment[variable];
    if (!file) continue;
    if (environment[name]) throw new ConfigError(`Set ${name} or ${variable}, not both.`);
    found[name] = read(variable, file);
  }
  return found;
}

/** @throws {ConfigError} */
function read(variable: string, file: string): string {
  let text: string;
  try {
    text = textOfFile(readFileSync(file));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new ConfigError(`${variable} names ${file}, which cannot be read (${code}).`, { cause });
  }
  const secret = text.replace(/\r?\n$/, '');
  if (secret === '' || secret.length > BYTES_MOST)
    throw new ConfigError(`${variable} names ${file}, which is empty or too large for a secret.`);
  return secret;
}
