import type { Reader, Writer } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { CompanyRow, PortalSessionRow } from '../../db/tables.ts';

export const sessionByHash = prepared<[hash: string], PortalSessionRow>((db, [hash]) =>
  db.selectFrom('portal_sessions').selectAll().where('token_hash', '=', hash),
);

export async function companyByEmail(reader: Reader, email: string): Promise<CompanyRow | undefined> {
  return reader.selectFrom('companies').selectAll().where('email', '=', email).executeTakeFirst();
}

export async function companyById(reader: Reader, id: string): Promise<CompanyRow | undefined> {
  return reader.selectFrom('companies').selectAll().where('id', '=', id).executeTakeFirst();
}

/** False when the e-mail address is taken. */
export async function insertCompany(writer: Writer, row: CompanyRow): Promise<boolean> {
  const result = await writer
    .insertInto('companies')
    .values(row)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function insertSession(writer: Writer, row: PortalSessionRow): Promise<void> {
  await writer.insertInto('portal_sessions').values(row).execute();
}

export async function deleteSession(writer: Writer, hash: string): Promise<void> {
  await writer.deleteFrom('portal_sessions').where('token_hash', '=', hash).execute();
}

export async function deleteExpiredSessions(writer: Writer, now: number): Promise<void> {
  await writer.deleteFrom('portal_sessions').where('expires_at', '<=', now).execute();
}
