import type { Reader } from '../../db/database.ts';
import type { Name, Owner } from './directory.ts';

/** Whether somebody has a name, as the rows of this region say. */
export async function holdsName(reader: Reader, owner: Owner, { kind, name }: Name): Promise<boolean> {
  switch (kind) {
    case 'share_code':
      return isThere(
        await reader
          .selectFrom('share_codes')
          .select('code')
          .where('code', '=', name)
          .where('subject_id', '=', owner.id)
          .executeTakeFirst(),
      );
    case 'portal_email':
      return isThere(
        await reader
          .selectFrom('portal_logins')
          .select('id')
          .where('email', '=', name)
          .where('company_id', '=', owner.id)
          .executeTakeFirst(),
      );
    case 'person_email':
      return isThere(
        await reader
          .selectFrom('persons')
          .select('id')
          .where('email', '=', name)
          .where('id', '=', owner.id)
          .executeTakeFirst(),
      );
  }
}

/** Whether an address signs in here. */
export async function isNameHere(reader: Reader, { kind, name }: Name): Promise<boolean> {
  return isThere(
    await reader
      .selectFrom(kind === 'portal_email' ? 'portal_logins' : 'persons')
      .select('id')
      .where('email', '=', name)
      .executeTakeFirst(),
  );
}

const isThere = (row: unknown) => row !== undefined;

/** The home of a company that is known here; null: here. */
export async function companyHome(
  reader: Reader,
  id: string,
): Promise<{ region: string | null } | undefined> {
  return reader.selectFrom('companies').select('region').where('id', '=', id).executeTakeFirst();
}
