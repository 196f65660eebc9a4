import { deleteBy, putBy, rowBy } from '../../../db/by-key.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import type { DraftColumns } from './tables.ts';

/** Whose drafts: a person's, or those of a login of a company. */
export type DraftOwner =
  | { readonly table: 'person_drafts'; readonly key: { readonly person_id: string } }
  | {
      readonly table: 'login_drafts';
      readonly key: { readonly company_id: string; readonly login_id: string };
    };

const COLUMNS = ['name', 'value', 'updated_at', 'expires_at'] as const;

/** Those that stand, the latest first. */
export function draftsOf(reader: Reader, owner: DraftOwner, now: number): Promise<DraftColumns[]> {
  return ownRows(reader, owner)
    .select(COLUMNS)
    .where('expires_at', '>', now)
    .orderBy('updated_at', 'desc')
    .orderBy('name')
    .execute();
}

export function draftOf(
  reader: Reader,
  { table, key }: DraftOwner,
  name: string,
): Promise<DraftColumns | undefined> {
  return rowBy(reader, table, { ...key, name }, COLUMNS);
}

/** Stores a draft in the place of the one of its name. Of too many, those that were changed longest ago go. */
export async function putDraft(
  writer: Writer,
  owner: DraftOwner,
  draft: DraftColumns,
  most: number,
): Promise<void> {
  const { table, key } = owner;
  const row = { ...key, ...draft };
  await putBy(writer, table as Table, [...Object.keys(key), 'name'] as (keyof typeof row)[], row as Row);
  const kept = ownRows(writer, owner)
    .select('name')
    .orderBy('updated_at', 'desc')
    .orderBy('name')
    .limit(most);
  await writer
    .deleteFrom(table as Table)
    .where((eb) => eb.and(key as Key))
    .where('name', 'not in', kept)
    .execute();
}

export async function deleteDraft(writer: Writer, { table, key }: DraftOwner, name: string): Promise<void> {
  await deleteBy(writer, table, { ...key, name });
}

export async function deleteLoginDrafts(
  writer: Writer,
  { companyId, loginId }: { companyId: string; loginId: string },
): Promise<void> {
  await deleteBy(writer, 'login_drafts', { company_id: companyId, login_id: loginId });
}

/** The query builder types a statement by one table; both have the same columns but for their owner's. */
type Table = 'person_drafts';
type Row = DraftColumns & Key;
type Key = { readonly person_id: string };

const ownRows = (reader: Reader, { table, key }: DraftOwner) =>
  reader.selectFrom(table as Table).where((eb) => eb.and(key as Key));
