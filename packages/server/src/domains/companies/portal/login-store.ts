import { spellingsOf } from '../../../access/email.ts';
import { lookUp } from '../../../core/secrets.ts';
import { deleteBy, rowBy, updateBy } from '../../../db/by-key.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import { isDeleted, isUpdated } from '../../../db/rows.ts';
import type { ActProofRow, PortalLoginRow, TrustedDeviceRow } from './tables.ts';

/** A login of a company. */
export interface LoginRef {
  readonly companyId: string;
  readonly loginId: string;
}

/** The login of a mailbox, in whatever spelling it is stored. */
export function loginByEmail(reader: Reader, email: string): Promise<PortalLoginRow | undefined> {
  return lookUp(spellingsOf(email), (spelling) => rowBy(reader, 'portal_logins', { email: spelling }));
}

export async function loginById(reader: Reader, ref: LoginRef): Promise<PortalLoginRow | undefined> {
  return rowBy(reader, 'portal_logins', { company_id: ref.companyId, id: ref.loginId });
}

export async function loginsOf(reader: Reader, companyId: string): Promise<PortalLoginRow[]> {
  return reader
    .selectFrom('portal_logins')
    .selectAll()
    .where('company_id', '=', companyId)
    .orderBy('id')
    .execute();
}

/** The logins of a company that have neither an authenticator app nor a passkey. */
export async function loginsWithoutFactor(
  reader: Reader,
  companyId: string,
): Promise<Pick<PortalLoginRow, 'id' | 'name' | 'email'>[]> {
  return reader
    .selectFrom('portal_logins')
    .select(['id', 'name', 'email'])
    .where('company_id', '=', companyId)
    .where('totp_enabled_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('login_passkeys')
            .select('login_passkeys.id')
            .where('login_passkeys.company_id', '=', companyId)
            .whereRef('login_passkeys.login_id', '=', 'portal_logins.id'),
        ),
      ),
    )
    .orderBy('id')
    .execute();
}

export async function insertLogin(writer: Writer, row: PortalLoginRow): Promise<void> {
  await writer.insertInto('portal_logins').values(row).execute();
}

export async function updateLogin(
  writer: Writer,
  ref: LoginRef,
  changes: Partial<PortalLoginRow>,
): Promise<void> {
  await updateBy(writer, 'portal_logins', { company_id: ref.companyId, id: ref.loginId }, changes);
}

const OF_A_LOGIN = [
  'portal_sessions',
  'sign_in_tickets',
  'two_factor_recovery_codes',
  'trusted_devices',
  'login_codes',
  'act_proofs',
  'login_passkeys',
] as const;

/** Deletes a login and all it opened. */
export async function deleteLogin(writer: Writer, ref: LoginRef): Promise<void> {
  await deleteRowsOf(writer, ref, OF_A_LOGIN);
  await deleteBy(writer, 'portal_logins', { company_id: ref.companyId, id: ref.loginId });
}

/** Deletes what a changed credential makes worthless: sign-ins under way, mailed codes, trust in devices. */
export async function deleteSideDoors(writer: Writer, ref: LoginRef): Promise<void> {
  await deleteRowsOf(writer, ref, ['sign_in_tickets', 'login_codes', 'trusted_devices', 'act_proofs']);
}

async function deleteRowsOf(
  writer: Writer,
  ref: LoginRef,
  tables: readonly (typeof OF_A_LOGIN)[number][],
): Promise<void> {
  for (const table of tables) {
    await deleteBy(writer, table, { company_id: ref.companyId, login_id: ref.loginId });
  }
}

export async function insertProof(writer: Writer, row: ActProofRow): Promise<void> {
  await writer.insertInto('act_proofs').values(row).execute();
}

/** False when the session has no such proof for this act, or it was used. */
export function takeProof(
  writer: Writer,
  row: Omit<ActProofRow, 'expires_at'>,
  now: number,
): Promise<boolean> {
  return isDeleted(
    writer
      .deleteFrom('act_proofs')
      .where('company_id', '=', row.company_id)
      .where('login_id', '=', row.login_id)
      .where('token_hash', '=', row.token_hash)
      .where('session_id', '=', row.session_id)
      .where('act', '=', row.act)
      .where('expires_at', '>', now),
  );
}

export async function insertDevice(writer: Writer, row: TrustedDeviceRow): Promise<void> {
  await writer.insertInto('trusted_devices').values(row).execute();
}

/** Notes that a device was used; false when it is not trusted. */
export function touchDevice(writer: Writer, ref: LoginRef, hash: string, now: number): Promise<boolean> {
  return isUpdated(
    writer
      .updateTable('trusted_devices')
      .set({ last_used_at: now })
      .where('token_hash', '=', hash)
      .where('company_id', '=', ref.companyId)
      .where('login_id', '=', ref.loginId)
      .where('expires_at', '>', now),
  );
}

export async function devicesOf(reader: Reader, ref: LoginRef, now: number): Promise<TrustedDeviceRow[]> {
  return reader
    .selectFrom('trusted_devices')
    .selectAll()
    .where('company_id', '=', ref.companyId)
    .where('login_id', '=', ref.loginId)
    .where('expires_at', '>', now)
    .orderBy('id')
    .execute();
}

/** Deletes one device, or all of them. @returns how many it deleted */
export async function deleteDevices(writer: Writer, ref: LoginRef, id?: string): Promise<number> {
  let query = writer
    .deleteFrom('trusted_devices')
    .where('company_id', '=', ref.companyId)
    .where('login_id', '=', ref.loginId);
  if (id !== undefined) query = query.where('id', '=', id);
  return Number((await query.executeTakeFirst()).numDeletedRows);
}
