import type { Engine, Reader } from '../../../db/database.ts';
import { inList, listParameter } from '../../../db/lists.ts';
import { prepared } from '../../../db/prepared.ts';

export interface KeyRow {
  id: string;
  /** The generated code: one that an operator gave is never shown. */
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
      .where(inList(engine, 'id', ids))
      .where('deleted_at', 'is', null),
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
