import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { ConfigError } from '../core/config-error.ts';
import { version } from '../core/version.ts';
import type { Database, Engine, Writer } from './database.ts';
import { spine } from './migrations/0001-spine.ts';
import { webhooks } from './migrations/0002-webhooks.ts';
import { accountClients } from './migrations/0003-account-clients.ts';
import { portalSecurity } from './migrations/0004-portal-security.ts';
import { profile } from './migrations/0005-profile.ts';
import { customers } from './migrations/0006-customers.ts';
import { operations } from './migrations/0007-operations.ts';
import { regions } from './migrations/0008-regions.ts';
import { moves } from './migrations/0009-moves.ts';
import { webhookDeliveries } from './migrations/0010-webhook-deliveries.ts';
import { drains } from './migrations/0011-drains.ts';
import { onePassMoves } from './migrations/0012-one-pass-moves.ts';
import { deviceDerivedLogins } from './migrations/0013-device-derived-logins.ts';
import { peerCalls } from './migrations/0014-peer-calls.ts';
import { oneTimeSnapshots } from './migrations/0016-one-time-snapshots.ts';
import { pins } from './migrations/0019-pins.ts';
import { jobs } from './migrations/0020-jobs.ts';
import { requestVersions } from './migrations/0021-request-versions.ts';
import { deletion } from './migrations/0022-deletion.ts';
import { fittingIndexes } from './migrations/0023-fitting-indexes.ts';
import { rowCounts } from './migrations/0024-row-counts.ts';
import { remoteServiceKeys } from './migrations/0025-remote-service-keys.ts';
import { presence } from './migrations/0026-presence.ts';
import { personSessions } from './migrations/0027-person-sessions.ts';
import { secondFactor } from './migrations/0028-second-factor.ts';
import { personDevices } from './migrations/0029-person-devices.ts';
import { signInApps } from './migrations/0030-sign-in-apps.ts';
import { signIns } from './migrations/0031-sign-ins.ts';
import { formerValues } from './migrations/0032-former-values.ts';
import { secondFactorBegun } from './migrations/0033-second-factor-begun.ts';
import { deletedApps } from './migrations/0034-deleted-apps.ts';
import { remoteRequestRows } from './migrations/0035-remote-request-rows.ts';
import { personDeletions } from './migrations/0036-person-deletions.ts';
import { appsByAlgorithm } from './migrations/0038-apps-by-algorithm.ts';
import { files } from './migrations/0040-files.ts';
import { documents } from './migrations/0041-documents.ts';
import { documentViews } from './migrations/0042-document-views.ts';
import { conversation } from './migrations/0043-conversation.ts';
import { sealCertificates } from './migrations/0044-seal-certificates.ts';
import { identityChecks } from './migrations/0045-identity-checks.ts';
import { plugins } from './migrations/0046-plugins.ts';
import { flowDefinitions } from './migrations/0047-flow-definitions.ts';
import { flowRuns } from './migrations/0048-flow-runs.ts';
import { runDocuments } from './migrations/0049-run-documents.ts';
import { challengesForActs } from './migrations/0050-challenges-for-acts.ts';
import { flowRunSteps } from './migrations/0051-flow-run-steps.ts';
import { expressionsByType } from './migrations/0052-expressions-by-type.ts';
import { detachedSignIn } from './migrations/0053-detached-sign-in.ts';
import { termsOfActs } from './migrations/0060-terms-of-acts.ts';
import { referencesOfRuns } from './migrations/0061-references-of-runs.ts';
import { uploadsOfCompanies } from './migrations/0064-uploads-of-companies.ts';
import { webhookFailures } from './migrations/0065-webhook-failures.ts';
import { patiently } from './patience.ts';
import { openSqlite } from './sqlite.ts';

/** Opens the database that the configuration names and brings its schema up to date. */
export async function openDatabase(
  options: { databaseUrl: string | undefined; dataDir: string; databaseWaitMs?: number },
  log?: Pick<FastifyBaseLogger, 'info' | 'warn'>,
): Promise<Database> {
  const waitMs = options.databaseWaitMs ?? 0;
  const patience = { until: 0 };
  const begun = performance.now();
  const database =
    options.databaseUrl === undefined
      ? openSqlite(databasePath(options.dataDir))
      : // What only PostgreSQL needs is not loaded for the embedded database: it starts sooner.
        (await import('./postgres.ts')).openPostgres(options.databaseUrl, { patience });
  try {
    await whenThere(() => upgrade(database, log), waitMs, log);
    // What follows at the start waits as long as this did not.
    patience.until = begun + waitMs;
  } catch (error) {
    await database.stop();
    throw error;
  }
  return database;
}

/** Runs the first work on a database, and says that the start waits for it. */
async function whenThere(
  work: () => Promise<void>,
  mostMs: number,
  log?: Pick<FastifyBaseLogger, 'info' | 'warn'>,
): Promise<void> {
  const begun = performance.now();
  let waits = false;
  await patiently(work, { until: begun + mostMs }, (error) => {
    if (!waits) {
      log?.warn(
        { err: error },
        `database unavailable: it does not answer; the start waits for it, ${Math.round(mostMs / 1000)} s at most`,
      );
    }
    waits = true;
  });
  if (waits) log?.info(`database available again after ${Math.round((performance.now() - begun) / 1000)} s`);
}

/** The embedded database's file. */
export function databasePath(dataDir: string): string {
  return join(dataDir, 'symbolon.db');
}

export function migrations(engine: Engine): Record<string, Migration> {
  return {
    '0001-spine': spine(engine),
    '0002-webhooks': webhooks(engine),
    '0003-account-clients': accountClients(engine),
    '0004-portal-security': portalSecurity(),
    '0005-profile': profile(),
    '0006-customers': customers(),
    '0007-operations': operations(),
    '0008-regions': regions(engine),
    '0009-moves': moves(engine),
    '0010-webhook-deliveries': webhookDeliveries(engine),
    '0011-drains': drains(engine),
    '0012-one-pass-moves': onePassMoves(),
    '0013-device-derived-logins': deviceDerivedLogins(),
    '0014-peer-calls': peerCalls(engine),
    '0016-one-time-snapshots': oneTimeSnapshots(),
    '0019-pins': pins(),
    '0020-jobs': jobs(),
    '0021-request-versions': requestVersions(),
    '0022-deletion': deletion(),
    '0023-fitting-indexes': fittingIndexes(engine),
    '0024-row-counts': rowCounts(engine),
    '0025-remote-service-keys': remoteServiceKeys(),
    '0026-presence': presence(),
    '0027-person-sessions': personSessions(),
    '0028-second-factor': secondFactor(),
    '0029-person-devices': personDevices(),
    '0030-sign-in-apps': signInApps(),
    '0031-sign-ins': signIns(),
    '0032-former-values': formerValues(),
    '0033-second-factor-begun': secondFactorBegun(),
    '0034-deleted-apps': deletedApps(),
    '0035-remote-request-rows': remoteRequestRows(),
    '0036-person-deletions': personDeletions(),
    '0038-apps-by-algorithm': appsByAlgorithm(),
    '0040-files': files(engine),
    '0041-documents': documents(engine),
    '0042-document-views': documentViews(),
    '0043-conversation': conversation(),
    '0044-seal-certificates': sealCertificates(),
    '0045-identity-checks': identityChecks(),
    '0046-plugins': plugins(),
    '0047-flow-definitions': flowDefinitions(engine),
    '0048-flow-runs': flowRuns(engine),
    '0049-run-documents': runDocuments(engine),
    '0050-challenges-for-acts': challengesForActs(),
    '0051-flow-run-steps': flowRunSteps(),
    '0052-expressions-by-type': expressionsByType(),
    '0053-detached-sign-in': detachedSignIn(),
    '0060-terms-of-acts': termsOfActs(),
    '0061-references-of-runs': referencesOfRuns(),
    '0064-uploads-of-companies': uploadsOfCompanies(),
    '0065-webhook-failures': webhookFailures(),
  };
}

/** Names of the migrations that this version knows. */
export const knownMigrations: readonly string[] = Object.keys(migrations('sqlite'));

/** The setting with the version of the platform that last wrote here. */
const WRITTEN_BY = 'platform.version';

/**
 * Brings the schema up to date and notes which version did it.
 * @throws {ConfigError} for a database that a newer version wrote
 */
async function upgrade(database: Database, log?: Pick<FastifyBaseLogger, 'info'>): Promise<void> {
  const before = await migrationsRun(database);
  const writtenBy = before.includes('0007-operations') ? await writerVersion(database) : undefined;
  if (before.some((name) => !knownMigrations.includes(name))) {
    throw new ConfigError(
      `The database was written by ${writtenBy === undefined ? 'a newer version' : `version ${writtenBy}`}, and this is version ${version}, which cannot read it. Start that version or a newer one, or restore a backup from before the upgrade.`,
    );
  }
  await migrate(database);
  const added = knownMigrations.filter((name) => !before.includes(name));
  if (before.length > 0 && added.length > 0)
    log?.info(
      { from: writtenBy ?? 'an earlier version', to: version, migrations: added },
      'database upgraded',
    );
  if (writtenBy === version) return;
  await database.write(async (writer) => {
    const row = { value: JSON.stringify(version), updated_at: Date.now() };
    await writer
      .insertInto('region_settings')
      .values({ name: WRITTEN_BY, ...row })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
      .execute();
  });
}

/** Names of the migrations that made the schema; none for a new database. */
async function migrationsRun({ schema }: Database): Promise<string[]> {
  const tables = await schema.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration')) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
    schema,
  );
  return rows.map(({ name }) => name);
}

async function writerVersion({ reader }: Database): Promise<string | undefined> {
  const row = await reader
    .selectFrom('region_settings')
    .select('value')
    .where('name', '=', WRITTEN_BY)
    .executeTakeFirst();
  return row === undefined ? undefined : (JSON.parse(row.value) as string);
}

async function migrate(database: Database): Promise<void> {
  // On SQLite, Kysely would commit every statement by itself: slow to start with, and half a schema if the process dies.
  if (database.engine === 'sqlite') await database.write((writer) => migrateOn(writer, database.engine));
  else await migrateOn(database.schema, database.engine);
}

async function migrateOn(db: Writer, engine: Engine): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations(engine) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
