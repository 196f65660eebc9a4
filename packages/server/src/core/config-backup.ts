import { isAbsolute } from 'node:path';
import { readS3 } from './config-blobs.ts';
import { ConfigError } from './config-error.ts';
import type { variablesOf } from './read-variables.ts';
import type { S3Options } from './s3-objects.ts';

/** How backups are made without anyone asking for them. */
export interface BackupConfig {
  /** A folder, or a store of objects; undefined: there is no schedule. */
  readonly place: { readonly folder: string } | { readonly s3: S3Options } | undefined;
  /** Public keys of age; empty: backups are not encrypted. */
  readonly recipients: readonly string[];
  readonly everyMs: number;
  /** How many proven backups stay. */
  readonly keep: number;
  /** The PostgreSQL on which backups are restored to prove them; undefined: that of the platform. */
  readonly scratchUrl: string | undefined;
}

export const backupVariables = [
  {
    name: 'SYMBOLON_BACKUP_TO',
    fallback: '',
    meaning:
      'where backups are made on a schedule: an absolute folder, or s3://bucket/prefix with the variables that SYMBOLON_BLOBS takes; empty: no schedule',
  },
  {
    name: 'SYMBOLON_BACKUP_RECIPIENTS',
    fallback: '',
    meaning:
      'public keys of age to which those backups are encrypted, separated by commas; each opens them. none: not encrypted',
  },
  { name: 'SYMBOLON_BACKUP_HOURS', fallback: '24', meaning: 'hours from one of those backups to the next' },
  { name: 'SYMBOLON_BACKUP_KEEP', fallback: '14', meaning: 'how many proven backups stay there' },
  {
    name: 'SYMBOLON_BACKUP_SCRATCH_URL',
    fallback: '',
    meaning:
      'postgres:// URL of a server on which each backup of a PostgreSQL is restored to prove it, in a database that is made for it; empty: that of DATABASE_URL',
  },
] as const;

const RECIPIENT = /^age1[02-9ac-hj-np-z]{20,4000}$/;
const RECIPIENTS_MOST = 10;

/** @throws {ConfigError} */
export function readBackup(
  { optional, whole, url }: ReturnType<typeof variablesOf>,
  environment: Readonly<Record<string, string | undefined>>,
): BackupConfig {
  const to = optional('SYMBOLON_BACKUP_TO');
  const recipients = optional('SYMBOLON_BACKUP_RECIPIENTS');
  if (to !== undefined && recipients === undefined)
    throw new ConfigError(
      'SYMBOLON_BACKUP_TO needs SYMBOLON_BACKUP_RECIPIENTS: public keys that begin with age1, such as symbolon backup key makes, or none.',
    );
  return {
    place: to === undefined ? undefined : placeOf(to, environment),
    recipients: recipientsOf(recipients),
    everyMs: between('SYMBOLON_BACKUP_HOURS', whole('SYMBOLON_BACKUP_HOURS', 720)) * 3_600_000,
    keep: between('SYMBOLON_BACKUP_KEEP', whole('SYMBOLON_BACKUP_KEEP', 400)),
    scratchUrl: url('SYMBOLON_BACKUP_SCRATCH_URL', ['postgres:', 'postgresql:']),
  };
}

function placeOf(
  to: string,
  environment: Readonly<Record<string, string | undefined>>,
): NonNullable<BackupConfig['place']> {
  const s3 = to.startsWith('s3:') ? readS3(to, environment, 'SYMBOLON_BACKUP_TO') : undefined;
  if (s3 !== undefined) return { s3 };
  if (isAbsolute(to)) return { folder: to };
  throw new ConfigError(`SYMBOLON_BACKUP_TO takes an absolute folder or s3://bucket/prefix, not "${to}".`);
}

function recipientsOf(text: string | undefined): readonly string[] {
  if (text === undefined || text === 'none') return [];
  const recipients = text.split(',').map((part) => part.trim());
  // A private key that stands here by mistake is not repeated.
  if (recipients.length <= RECIPIENTS_MOST && recipients.every((one) => RECIPIENT.test(one)))
    return recipients;
  throw new ConfigError(
    `SYMBOLON_BACKUP_RECIPIENTS takes up to ${RECIPIENTS_MOST} public keys of age, which begin with age1, separated by commas, or none.`,
  );
}

function between(name: string, value: number): number {
  if (value > 0) return value;
  throw new ConfigError(`${name} takes at least 1.`);
}
