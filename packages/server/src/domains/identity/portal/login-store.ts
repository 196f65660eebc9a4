import type { Reader, Writer } from '../../../db/database.ts';
import { count, isDeleted, isUpdated } from '../../../db/rows.ts';
import type { ActProofRow, PortalLoginRow, SignInTicketRow, TrustedDeviceRow } from './tables.ts';

/** A login of a company. */
export interface LoginRef {
  readonly companyId: string;
  readonly loginId: string;
}

export async function loginByEmail(reader: Reader, email: string): Promise<PortalLoginRow | undefined> {
  return reader.selectFrom('portal_logins').selectAll().where('email', '=', email).executeTakeFirst();
}

export async function loginById(reader: Reader, ref: LoginRef): Promise<PortalLoginRow | undefined> {
  return reader
    .selectFrom('portal_logins')
    .selectAll()
    .where('company_id', '=', ref.companyId)
    .where('id', '=', ref.loginId)
    .executeTakeFirst();
}

export async function loginsOf(reader: Reader, companyId: string): Promise<PortalLoginRow[]> {
  return reader
    .selectFrom('portal_logins')
    .selectAll()
    .where('company_id', '=', companyId)
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
  await writer
    .updateTable('portal_logins')
    .set(changes)
    .where('company_id', '=', ref.companyId)
    .where('id', '=', ref.loginId)
    .execute();
}

const OF_A_LOGIN = [
  'portal_sessions',
  'sign_in_tickets',
  'two_factor_recovery_codes',
  'trusted_devices',
  'login_codes',
  'act_proofs',
] as const;

/** Deletes a login and all it opened. */
export async function deleteLogin(writer: Writer, ref: LoginRef): Promise<void> {
  await deleteRowsOf(writer, ref, OF_A_LOGIN);
  await writer
    .deleteFrom('portal_logins')
    .where('company_id', '=', ref.companyId)
    .where('id', '=', ref.loginId)
    .execute();
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
    await writer
      .deleteFrom(table)
      .where('company_id', '=', ref.companyId)
      .where('login_id', '=', ref.loginId)
      .execute();
  }
}

/** False when a code of this step or of a later one was taken before. */
export function takeTimeStep(writer: Writer, ref: LoginRef, step: number): Promise<boolean> {
  return isUpdated(
    writer
      .updateTable('portal_logins')
      .set({ totp_last_step: step })
      .where('company_id', '=', ref.companyId)
      .where('id', '=', ref.loginId)
      .where('totp_last_step', '<', step),
  );
}

export async function replaceRecoveryCodes(
  writer: Writer,
  ref: LoginRef,
  hashes: readonly string[],
): Promise<void> {
  await deleteRowsOf(writer, ref, ['two_factor_recovery_codes']);
  if (hashes.length === 0) return;
  await writer
    .insertInto('two_factor_recovery_codes')
    .values(hashes.map((code_hash) => ({ company_id: ref.companyId, login_id: ref.loginId, code_hash })))
    .execute();
}

export function countRecoveryCodes(reader: Reader, ref: LoginRef): Promise<number> {
  return count(
    reader
      .selectFrom('two_factor_recovery_codes')
      .where('company_id', '=', ref.companyId)
      .where('login_id', '=', ref.loginId),
  );
}

/** False when there is no such code, or it was used. */
export function takeRecoveryCode(writer: Writer, ref: LoginRef, hash: string): Promise<boolean> {
  return isDeleted(
    writer
      .deleteFrom('two_factor_recovery_codes')
      .where('company_id', '=', ref.companyId)
      .where('login_id', '=', ref.loginId)
      .where('code_hash', '=', hash),
  );
}

export async function insertTicket(writer: Writer, row: SignInTicketRow): Promise<void> {
  await writer.insertInto('sign_in_tickets').values(row).execute();
}

/** Counts a try; undefined when the ticket is unknown, too old or has no try left. */
export async function tryTicket(
  writer: Writer,
  hash: string,
  now: number,
  attemptsMost: number,
): Promise<SignInTicketRow | undefined> {
  return writer
    .updateTable('sign_in_tickets')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('token_hash', '=', hash)
    .where('expires_at', '>', now)
    .where('attempts', '<', attemptsMost)
    .returningAll()
    .executeTakeFirst();
}

/** False when it was used meanwhile. */
export function deleteTicket(writer: Writer, hash: string): Promise<boolean> {
  return isDeleted(writer.deleteFrom('sign_in_tickets').where('token_hash', '=', hash));
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
