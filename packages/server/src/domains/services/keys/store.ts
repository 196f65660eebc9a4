import type { Engine, Reader, Writer } from '../../../db/database.ts';
import { inList, listParameter } from '../../../db/lists.ts';
import { prepared } from '../../../db/prepared.ts';

export interface KeyRow {
  id: string;
  /** The generated code: one that an operator gave is never told. */
  share_code: string;
  public_key: string;
  public_key_sha256: string;
}

export const codeSubject = prepared<[code: string], { kind: 'person' | 'company'; subject_id: string }>(
  (db, [code]) => db.selectFrom('share_codes').select(['kind', 'subject_id']).where('code', '=', code),
);

const personKeyQuery = (engine: Engine) =>
  prepared<[ids: string], KeyRow>((db, [ids]) =>
    db
      .selectFrom('persons')
      .select(['id', 'share_code', 'public_key', 'public_key_sha256'])
      .where(inList(engine, 'id', ids)),
  );
const personKeyQueries = { sqlite: personKeyQuery('sqlite'), postgres: personKeyQuery('postgres') };

const accountKeyQuery = (engine: Engine) =>
  prepared<[ids: string], KeyRow>((db, [ids]) =>
    db
      .selectFrom('companies')
      .select([
        'id',
        'code as share_code',
        'account_public_key as public_key',
        'account_public_key_sha256 as public_key_sha256',
      ])
      .where(inList(engine, 'id', ids)),
  );
const accountKeyQueries = { sqlite: accountKeyQuery('sqlite'), postgres: accountKeyQuery('postgres') };

/** Keys of people. */
export function personKeys(engine: Engine, reader: Reader, ids: readonly string[]): Promise<KeyRow[]> {
  return personKeyQueries[engine](reader, listParameter(engine, ids));
}

/** Account keys of companies. */
export function accountKeys(engine: Engine, reader: Reader, ids: readonly string[]): Promise<KeyRow[]> {
  return accountKeyQueries[engine](reader, listParameter(engine, ids));
}

export async function customCodesOf(
  reader: Reader,
  personIds: readonly string[],
): Promise<Map<string, string[]>> {
  if (personIds.length === 0) return new Map();
  const rows = await reader
    .selectFrom('share_codes')
    .select(['code', 'subject_id'])
    .where('subject_id', 'in', personIds)
    .where('custom', '=', 1)
    .orderBy('code')
    .execute();
  const codes = new Map<string, string[]>();
  for (const row of rows) codes.set(row.subject_id, [...(codes.get(row.subject_id) ?? []), row.code]);
  return codes;
}

/** False when the code belongs to somebody. */
export async function insertCustomCode(writer: Writer, code: string, personId: string): Promise<boolean> {
  const result = await writer
    .insertInto('share_codes')
    .values({ code, kind: 'person', subject_id: personId, custom: 1 })
    .onConflict((conflict) => conflict.column('code').doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** False when the person has no such custom code. */
export async function deleteCustomCode(writer: Writer, code: string, personId: string): Promise<boolean> {
  const result = await writer
    .deleteFrom('share_codes')
    .where('code', '=', code)
    .where('subject_id', '=', personId)
    .where('custom', '=', 1)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
