import type { Reader } from '../../../db/database.ts';
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

/** Companies and people at home here, in the order of their ids, with all their names. */
export async function ownersAfter(
  reader: Reader,
  kind: Owner['kind'],
  after: string,
  most: number,
): Promise<{ owner: Owner; names: Name[] }[]> {
  const owners = await reader
    .selectFrom(kind === 'company' ? 'companies' : 'persons')
    .select(['id', 'email'])
    .where('region', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(most)
    .execute();
  if (owners.length === 0) return [];
  const ids = owners.map((row) => row.id);
  const codes = await reader
    .selectFrom('share_codes')
    .select(['subject_id', 'code'])
    .where('subject_id', 'in', ids)
    .execute();
  const logins =
    kind === 'person'
      ? []
      : await reader
          .selectFrom('portal_logins')
          .select(['company_id', 'email'])
          .where('company_id', 'in', ids)
          .execute();
  return owners.map(({ id, email }) => ({
    owner: { kind, id },
    names: [
      ...(kind === 'person' ? [{ kind: 'person_email' as const, name: email }] : []),
      ...logins
        .filter((login) => login.company_id === id)
        .map((login) => ({ kind: 'portal_email' as const, name: login.email })),
      ...codes
        .filter((row) => row.subject_id === id)
        .map((row) => ({ kind: 'share_code' as const, name: row.code })),
    ],
  }));
}

const isThere = (row: unknown) => row !== undefined;
