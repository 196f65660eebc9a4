import { createHmac } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import { ConfigError } from '../core/config-error.ts';
import type { KeyRing } from '../core/key-ring.ts';
import type { Database, Reader } from './database.ts';

/**
 * A database keeps a check value for every version of the secret that it may need. So a process with another secret stops at its
 * start, before it reads rows that it cannot open or writes rows that others cannot.
 */
const PREFIX = 'keys.check.';
/** Characters of a check value that name a secret. */
const NAME_LENGTH = 12;

/** The setting with the check value of a version; a version that was dropped has none. */
export const checkName = (version: number) => `${PREFIX}${version}`;

/** The versions of the secret that the database knows, with their check values. */
async function knownChecks(reader: Reader): Promise<Map<number, string>> {
  const rows = await reader
    .selectFrom('region_settings')
    .select(['name', 'value'])
    .where('name', 'like', `${PREFIX}%`)
    .execute();
  return new Map(
    rows.map(({ name, value }) => [Number(name.slice(PREFIX.length)), JSON.parse(value) as string]),
  );
}

const checkOf = (keys: KeyRing, version: number) =>
  createHmac('sha256', keys.key('check', version)).update('symbolon').digest('hex');

/**
 * At the start of a process: refuses a secret that is not the database's.
 * @throws {ConfigError}
 */
export async function assertSecret(database: Database, keys: KeyRing): Promise<void> {
  const known = await retireDropped(database, keys);
  for (const [version, check] of known) {
    if (!keys.has(version)) {
      throw new ConfigError(
        `${keys.source} lacks version ${version} of the secret, which the database may still need. Add it, or first run symbolon admin keys drop ${version} with it.`,
      );
    }
    if (checkOf(keys, version) !== check) throw foreignSecret(keys, version, check);
  }
}

/** Retires versions that were dropped and still stand in SYMBOLON_SECRET. @returns the check values of the others */
export async function retireDropped(database: Database, keys: KeyRing): Promise<Map<number, string>> {
  const known = await knownChecks(database.reader);
  const newest = Math.max(...known.keys(), 0);
  keys.retire((version) => version < newest && !known.has(version));
  return known;
}

/** What an operator tells secrets apart by; it stands in the database, and so in each backup of it. */
const nameOf = (check: string) => check.slice(0, NAME_LENGTH);

/** What tells the secrets apart under which a database was written, by their versions. */
export async function fingerprints(reader: Reader): Promise<Record<string, string>> {
  return Object.fromEntries(
    [...(await knownChecks(reader))].map(([version, check]) => [version, nameOf(check)]),
  );
}

/**
 * Compares a secret with what a backup of a database says.
 * @throws {ConfigError}
 */
export function assertFingerprints(keys: KeyRing, known: Readonly<Record<string, string>>): void {
  for (const [version, fingerprint] of Object.entries(known)) {
    if (!keys.has(Number(version))) {
      throw new ConfigError(
        `${keys.source} lacks version ${version} of the secret (${fingerprint}), under which the backup was made. Add it.`,
      );
    }
    const own = nameOf(checkOf(keys, Number(version)));
    if (own === fingerprint) continue;
    throw new ConfigError(
      `The backup was made under another secret (${fingerprint}) than that of ${keys.source} (${own}). Put the one of its time there: a backup does not contain it.`,
    );
  }
}

/** The refusal of a secret under which the database was not written. */
function foreignSecret(keys: KeyRing, version: number, check: string): ConfigError {
  const remedy = keys.ownsFile
    ? `Put the secret.key of the database in its place, or set SYMBOLON_SECRET to its secret`
    : 'Set it to the secret of the database';
  return new ConfigError(
    `The database was written under another secret (${nameOf(check)}) than that of ${keys.source} (${nameOf(checkOf(keys, version))}). ${remedy}; a backup does not contain it.`,
  );
}

/**
 * Notes the versions that the database does not know yet.
 * @throws {ConfigError} when another process has meanwhile noted another secret
 */
export async function noteSecret(database: Database, keys: KeyRing, clock: Clock): Promise<void> {
  const known = await knownChecks(database.reader);
  const missing = keys.versions.filter((version) => !known.has(version));
  if (missing.length === 0) return;
  await database.write(async (writer) => {
    for (const version of missing) {
      const row = { value: JSON.stringify(checkOf(keys, version)), updated_at: clock.now() };
      await writer
        .insertInto('region_settings')
        .values({ name: checkName(version), ...row })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute();
    }
  });
  await assertSecret(database, keys);
}
