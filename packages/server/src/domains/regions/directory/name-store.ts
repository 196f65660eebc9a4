import { spellingsOf } from '../../../access/email.ts';
import { lookUp } from '../../../core/secrets.ts';
import { rowBy } from '../../../db/by-key.ts';
import type { Reader } from '../../../db/database.ts';
import type { Name, Owner } from './directory.ts';

/** Whether this region stores a name for an owner. */
export async function holdsName(reader: Reader, owner: Owner, { kind, name }: Name): Promise<boolean> {
  if (kind !== 'share_code') return (await signInOf(reader, { kind, name }))?.owner === owner.id;
  const row = await rowBy(reader, 'share_codes', { code: name, subject_id: owner.id }, ['code']);
  return row !== undefined;
}

/** Whether an e-mail address signs in at this region. */
export async function isNameHere(reader: Reader, name: SignInName): Promise<boolean> {
  return (await signInOf(reader, name)) !== undefined;
}

type SignInName = Name & { readonly kind: 'portal_email' | 'person_email' };

/** The owner of an e-mail address that signs in here, in whatever spelling; it is unique in each table. */
function signInOf(reader: Reader, { kind, name }: SignInName): Promise<{ owner: string } | undefined> {
  return lookUp(spellingsOf(name), (email) =>
    kind === 'portal_email'
      ? reader
          .selectFrom('portal_logins')
          .select('company_id as owner')
          .where('email', '=', email)
          .executeTakeFirst()
      : reader.selectFrom('persons').select('id as owner').where('email', '=', email).executeTakeFirst(),
  );
}

/** Companies or people of this region that follow an id, with all their names. */
export async function ownersAfter(
  reader: Reader,
  kind: Owner['kind'],
  after: string,
  limit: number,
): Promise<{ owner: Owner; names: Name[] }[]> {
  const owners = await reader
    .selectFrom(kind === 'company' ? 'companies' : 'persons')
    .select(['id', 'email'])
    .where('region', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
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
      // Of a deleted person the column has the id.
      ...(kind === 'person' && email !== id ? [{ kind: 'person_email' as const, name: email }] : []),
      ...logins
        .filter((login) => login.company_id === id)
        .map((login) => ({ kind: 'portal_email' as const, name: login.email })),
      ...codes
        .filter((row) => row.subject_id === id)
        .map((row) => ({ kind: 'share_code' as const, name: row.code })),
    ],
  }));
}
