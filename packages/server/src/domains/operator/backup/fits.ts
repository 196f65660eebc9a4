import type { Config } from '../../../core/config.ts';
import type { KeyRing } from '../../../core/key-ring.ts';
import { assertFingerprints } from '../../../db/key-checks.ts';
import { readability } from '../../../db/migrations/index.ts';
import { BackupError, type Manifest } from './format.ts';
import type { ProofOptions } from './prove.ts';

/** What a backup is restored into, as far as it must fit. */
export interface Target {
  readonly databaseUrl: string | undefined;
  /** Its name, or that of a front door. */
  readonly region: string;
  /** Undefined: the secret of the backup's time is still to be put there. */
  readonly keys: KeyRing | undefined;
}

/** The name under which the directory of a front door of its own is backed up. */
export const DIRECTORY = 'front-door';

/** Whether the processes of a configuration have the database of a region. */
export const regionOf = (config: { roles: ReadonlySet<string>; region: string }) =>
  config.roles.has('region') || config.roles.has('worker') ? config.region : DIRECTORY;

/** How a backup is restored beside the installation of a configuration. */
export const besideOf = (
  { databaseUrl, databaseDirectUrl, backup, secret, dataDir, ...config }: Config,
  given: Pick<ProofOptions, 'file' | 'identities' | 'folder'>,
): ProofOptions => ({
  ...given,
  ...{ secret, dataDir, region: regionOf(config) },
  scratchUrl: databaseUrl && (backup.scratchUrl ?? databaseDirectUrl ?? databaseUrl),
});

const NAMES = { sqlite: 'the embedded database', postgres: 'PostgreSQL' } as const;
const nameOf = (region: string) =>
  region === DIRECTORY ? 'the directory of a front door' : `the region ${region}`;

/**
 * Refuses a backup that is of something else, before anything is touched.
 * @throws {BackupError | ConfigError} with what to do
 */
export function assertFits(manifest: Manifest, { databaseUrl, region, keys }: Target): void {
  const engine = databaseUrl === undefined ? 'sqlite' : 'postgres';
  if (manifest.engine !== engine) {
    throw new BackupError(
      `The backup is of ${NAMES[manifest.engine]}, and this installation uses ${NAMES[engine]}: DATABASE_URL decides that.`,
    );
  }
  const readable = readability(manifest.migrations);
  if (readable === 'older') {
    throw new BackupError(
      'The backup was made by a version before 0.1.0 and cannot be upgraded: start with an empty database.',
    );
  }
  if (readable === 'newer') {
    throw new BackupError(
      `The backup is of a newer version (${manifest.version}): restore it with that one.`,
    );
  }
  if (manifest.region !== region) {
    throw new BackupError(
      `The backup is of ${nameOf(manifest.region)}, and this installation is ${nameOf(region)}: SYMBOLON_REGION and SYMBOLON_ROLES decide that.`,
    );
  }
  if (keys !== undefined) assertFingerprints(keys, manifest.keys ?? {});
}
