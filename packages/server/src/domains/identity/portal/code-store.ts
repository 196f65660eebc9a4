import type { Reader, Writer } from '../../../db/database.ts';
import type { LoginRef } from './login-store.ts';
import type { LoginCodeRow } from './tables.ts';

export async function codeOf(
  reader: Reader,
  ref: LoginRef,
  purpose: LoginCodeRow['purpose'],
): Promise<LoginCodeRow | undefined> {
  return reader
    .selectFrom('login_codes')
    .selectAll()
    .where('company_id', '=', ref.companyId)
    .where('login_id', '=', ref.loginId)
    .where('purpose', '=', purpose)
    .executeTakeFirst();
}

/** Writes a code over one that is out. */
export async function putCode(writer: Writer, row: LoginCodeRow): Promise<void> {
  await writer
    .insertInto('login_codes')
    .values(row)
    .onConflict((conflict) => conflict.columns(['company_id', 'login_id', 'purpose']).doUpdateSet(row))
    .execute();
}

export async function countAttempt(
  writer: Writer,
  ref: LoginRef,
  purpose: LoginCodeRow['purpose'],
): Promise<void> {
  await writer
    .updateTable('login_codes')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('company_id', '=', ref.companyId)
    .where('login_id', '=', ref.loginId)
    .where('purpose', '=', purpose)
    .execute();
}

export async function deleteCode(
  writer: Writer,
  ref: LoginRef,
  purpose: LoginCodeRow['purpose'],
): Promise<void> {
  await writer
    .deleteFrom('login_codes')
    .where('company_id', '=', ref.companyId)
    .where('login_id', '=', ref.loginId)
    .where('purpose', '=', purpose)
    .execute();
}
