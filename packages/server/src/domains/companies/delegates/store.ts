import { deleteBy, rowBy, updateBy } from '../../../db/by-key.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import { isDeleted } from '../../../db/rows.ts';
import type { DelegateInvitationRow } from './tables.ts';

export async function invitationsOf(reader: Reader, companyId: string): Promise<DelegateInvitationRow[]> {
  return reader
    .selectFrom('delegate_invitations')
    .selectAll()
    .where('company_id', '=', companyId)
    .orderBy('id')
    .execute();
}

export async function invitationById(
  reader: Reader,
  companyId: string,
  id: string,
): Promise<DelegateInvitationRow | undefined> {
  return rowBy(reader, 'delegate_invitations', { company_id: companyId, id });
}

/** An invitation with the name of its company. */
export async function invitationByHash(
  reader: Reader,
  hash: string,
): Promise<(DelegateInvitationRow & { company_name: string }) | undefined> {
  return reader
    .selectFrom('delegate_invitations')
    .innerJoin('companies', 'companies.id', 'delegate_invitations.company_id')
    .selectAll('delegate_invitations')
    .select('companies.name as company_name')
    .where('token_hash', '=', hash)
    .executeTakeFirst();
}

export async function companyName(reader: Reader, companyId: string): Promise<string> {
  const row = await rowBy(reader, 'companies', { id: companyId }, ['name']);
  return row?.name ?? '';
}

export async function insertInvitation(writer: Writer, row: DelegateInvitationRow): Promise<void> {
  await writer.insertInto('delegate_invitations').values(row).execute();
}

export async function updateInvitation(
  writer: Writer,
  companyId: string,
  id: string,
  changes: Partial<DelegateInvitationRow>,
): Promise<void> {
  await updateBy(writer, 'delegate_invitations', { company_id: companyId, id }, changes);
}

/** False when it is gone. */
export function deleteInvitation(writer: Writer, companyId: string, id: string): Promise<boolean> {
  return deleteBy(writer, 'delegate_invitations', { company_id: companyId, id });
}

/** The hash of a token is replaced by every resend, so it names one state of the invitation. */
export function takeInvitation(writer: Writer, hash: string, now: number): Promise<boolean> {
  return isDeleted(
    writer.deleteFrom('delegate_invitations').where('token_hash', '=', hash).where('expires_at', '>', now),
  );
}
