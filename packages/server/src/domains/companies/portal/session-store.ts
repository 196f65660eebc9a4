import { deleteBy, updateBy } from '../../../db/by-key.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import { prepared } from '../../../db/prepared.ts';
import type { LoginRef } from './login-store.ts';
import type { CompanyRow, PortalLoginRow, PortalSessionRow } from './tables.ts';

/** A session with what its login and company are at this moment: every request of the portal reads it. */
export const sessionByHash = prepared<
  [hash: string],
  PortalSessionRow &
    Pick<PortalLoginRow, 'email' | 'role' | 'totp_enabled_at'> &
    // Null while the company is being deleted.
    Record<'second_factor_required', CompanyRow['second_factor_required'] | null>
>((db, [hash]) =>
  db
    .selectFrom('portal_sessions')
    .innerJoin('portal_logins', 'portal_logins.id', 'portal_sessions.login_id')
    .leftJoin('companies', 'companies.id', 'portal_sessions.company_id')
    .selectAll('portal_sessions')
    .select(['portal_logins.email', 'portal_logins.role', 'portal_logins.totp_enabled_at'])
    .select('companies.second_factor_required')
    .where('portal_sessions.token_hash', '=', hash),
);

export async function insertSession(writer: Writer, row: PortalSessionRow): Promise<void> {
  await writer.insertInto('portal_sessions').values(row).execute();
}

export async function touchSession(writer: Writer, hash: string, now: number): Promise<void> {
  await updateBy(writer, 'portal_sessions', { token_hash: hash }, { last_seen_at: now });
}

/** The sessions of a login, the latest first. */
export async function sessionsOf(reader: Reader, ref: LoginRef): Promise<PortalSessionRow[]> {
  return reader
    .selectFrom('portal_sessions')
    .selectAll()
    .where('company_id', '=', ref.companyId)
    .where('login_id', '=', ref.loginId)
    .orderBy('id', 'desc')
    .execute();
}

/** Deletes a session; false when the login has no session with this id. */
export function deleteSession(writer: Writer, ref: LoginRef, id: string): Promise<boolean> {
  return deleteBy(writer, 'portal_sessions', { company_id: ref.companyId, login_id: ref.loginId, id });
}

/** Deletes the sessions of a login but the one that is kept, if any. */
export async function deleteSessions(writer: Writer, ref: LoginRef, keptId?: string): Promise<number> {
  let query = writer
    .deleteFrom('portal_sessions')
    .where('company_id', '=', ref.companyId)
    .where('login_id', '=', ref.loginId);
  if (keptId !== undefined) query = query.where('id', '!=', keptId);
  return Number((await query.executeTakeFirst()).numDeletedRows);
}
