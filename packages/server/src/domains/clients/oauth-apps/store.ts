import { PlatformError } from '../../../core/errors.ts';
import { updateBy } from '../../../db/by-key.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import { prepared } from '../../../db/prepared.ts';
import { exists } from '../../../db/rows.ts';
import type { DeletedOAuthAppRow, OAuthAppRow } from './tables.ts';

/** Deleted apps of one sweep. */
const DELETED_AT_ONCE = 1000;

const COLUMNS = [
  'oauth_apps.company_id',
  'oauth_apps.client_id',
  'oauth_apps.name',
  'oauth_apps.app_type',
  'oauth_apps.redirect_uris',
  'oauth_apps.claims_delivery',
  'oauth_apps.require_2fa',
  'oauth_apps.detached',
  'oauth_apps.id_token_alg',
  'oauth_apps.claim_config',
  'oauth_apps.public_key',
  'oauth_apps.public_key_sha256',
  'oauth_apps.encrypted_private_key',
  'oauth_apps.private_key_pem',
  'oauth_apps.secret_hash',
  'oauth_apps.secret_created_at',
  'oauth_apps.created_at',
  'oauth_apps.updated_at',
] as const;

/** Apps; the service that one names is null once it is gone. */
function apps(reader: Reader) {
  return reader
    .selectFrom('oauth_apps')
    .leftJoin('services', (join) =>
      join
        .onRef('services.company_id', '=', 'oauth_apps.company_id')
        .onRef('services.id', '=', 'oauth_apps.service_id'),
    )
    .select(COLUMNS)
    .select('services.id as service_id');
}

/** Oldest first. */
export async function appsOf(reader: Reader, companyId: string): Promise<OAuthAppRow[]> {
  return apps(reader)
    .where('oauth_apps.company_id', '=', companyId)
    .orderBy('oauth_apps.created_at')
    .orderBy('oauth_apps.client_id')
    .execute();
}

/** @throws {PlatformError} oauth_apps.not_found */
export async function requireApp(
  reader: Reader,
  { companyId, clientId }: { companyId: string; clientId: string },
): Promise<OAuthAppRow> {
  const row = await apps(reader)
    .where('oauth_apps.company_id', '=', companyId)
    .where('oauth_apps.client_id', '=', clientId)
    .executeTakeFirst();
  if (row === undefined) throw new PlatformError('oauth_apps.not_found');
  return row;
}

/** An app as its own calls name it. */
export const appByClientId = prepared<[clientId: string], OAuthAppRow>((db, [clientId]) =>
  apps(db).where('oauth_apps.client_id', '=', clientId),
);

export function isServiceOf(reader: Reader, companyId: string, serviceId: string): Promise<boolean> {
  return exists(
    reader
      .selectFrom('services')
      .select('id')
      .where('company_id', '=', companyId)
      .where('id', '=', serviceId),
  );
}

export async function insertApp(writer: Writer, row: OAuthAppRow): Promise<void> {
  await writer.insertInto('oauth_apps').values(row).execute();
}

export async function updateApp(
  writer: Writer,
  companyId: string,
  clientId: string,
  changes: Partial<Omit<OAuthAppRow, 'company_id' | 'client_id'>>,
): Promise<void> {
  await updateBy(writer, 'oauth_apps', { company_id: companyId, client_id: clientId }, changes);
}

/** Replaces the hash of a secret, unless the secret was replaced since it was read. */
export async function rehashApp(
  writer: Writer,
  app: Pick<OAuthAppRow, 'company_id' | 'client_id' | 'secret_hash'>,
  hash: string,
): Promise<void> {
  await writer
    .updateTable('oauth_apps')
    .set({ secret_hash: hash })
    .where('company_id', '=', app.company_id)
    .where('client_id', '=', app.client_id)
    .where('secret_hash', '=', app.secret_hash)
    .execute();
}

export async function insertDeletedApp(writer: Writer, row: DeletedOAuthAppRow): Promise<void> {
  await writer.insertInto('deleted_oauth_apps').values(row).execute();
}

/** Some of them, the longest deleted first. */
export function deletedApps(reader: Reader): Promise<DeletedOAuthAppRow[]> {
  return reader
    .selectFrom('deleted_oauth_apps')
    .selectAll()
    .orderBy('deleted_at')
    .limit(DELETED_AT_ONCE)
    .execute();
}

export async function forgetDeletedApp(
  writer: Writer,
  { company_id, client_id }: Pick<DeletedOAuthAppRow, 'company_id' | 'client_id'>,
): Promise<void> {
  await writer
    .deleteFrom('deleted_oauth_apps')
    .where('company_id', '=', company_id)
    .where('client_id', '=', client_id)
    .execute();
}
