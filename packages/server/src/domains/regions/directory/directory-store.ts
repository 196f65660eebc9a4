import { spellingsOf } from '../../../access/email.ts';
import { lookUp } from '../../../core/secrets.ts';
import { deleteBy, rowBy, updateBy } from '../../../db/by-key.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import { prepared } from '../../../db/prepared.ts';
import type { Home, Name, Owner } from './directory.ts';
import type { DirectoryNameRow } from './tables.ts';

/** Prepared, because the front door runs it for every token request. */
const regionOf = prepared<[kind: string, id: string], { region: string }>((db, [kind, id]) =>
  db
    .selectFrom('directory_owners')
    .select('region')
    .where('kind', '=', kind as Owner['kind'])
    .where('id', '=', id),
);

export async function ownerRegion(reader: Reader, owner: Owner): Promise<string | undefined> {
  const [row] = await regionOf(reader, owner.kind, owner.id);
  return row?.region;
}

/** Does nothing when the owner has a home already. */
export async function insertOwner(
  writer: Writer,
  owner: Owner,
  home: { region: string; at: number },
): Promise<void> {
  await writer
    .insertInto('directory_owners')
    .values({ kind: owner.kind, id: owner.id, region: home.region, updated_at: home.at })
    .onConflict((conflict) => conflict.columns(['kind', 'id']).doNothing())
    .execute();
}

/** Changes a home that is still `from`. */
export async function changeRegion(
  writer: Writer,
  owner: Owner,
  change: { from: string; to: string; at: number },
): Promise<void> {
  await updateBy(
    writer,
    'directory_owners',
    { kind: owner.kind, id: owner.id, region: change.from },
    { region: change.to, updated_at: change.at },
  );
}

export async function deleteOwner(writer: Writer, owner: Owner): Promise<void> {
  await deleteBy(writer, 'directory_owners', { kind: owner.kind, id: owner.id });
}

/** @returns false when the name has an owner */
export async function insertName(
  writer: Writer,
  name: Name,
  claim: { owner: Owner; at: number },
): Promise<boolean> {
  const result = await writer
    .insertInto('directory_names')
    .values({
      kind: name.kind,
      name: name.name,
      owner_kind: claim.owner.kind,
      owner_id: claim.owner.id,
      confirmed: 0,
      claimed_at: claim.at,
    })
    .onConflict((conflict) => conflict.columns(['kind', 'name']).doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** How a name may stand in a row; addresses have more than one spelling. */
const spellings = ({ kind, name }: Name) => (kind === 'share_code' ? [name] : spellingsOf(name));

export function nameRow(reader: Reader, name: Name): Promise<DirectoryNameRow | undefined> {
  const { kind } = name;
  return lookUp(spellings(name), (spelling) => rowBy(reader, 'directory_names', { kind, name: spelling }));
}

export async function homeOfName(reader: Reader, name: Name): Promise<Home | undefined> {
  const row = await nameRow(reader, name);
  if (row === undefined) return undefined;
  const owner: Owner = { kind: row.owner_kind, id: row.owner_id };
  const region = await ownerRegion(reader, owner);
  return region === undefined ? undefined : { owner, region };
}
const ofOwner = ({ kind, id }: Owner) => ({ owner_kind: kind, owner_id: id });

export async function confirmName(writer: Writer, owner: Owner, { kind, name }: Name): Promise<void> {
  await writer
    .updateTable('directory_names')
    .set({ confirmed: 1 })
    .where((eb) => eb.and({ kind, name, ...ofOwner(owner) }))
    .execute();
}

/** Deletes a name of an owner; without a name, all of them. */
export async function deleteNames(writer: Writer, owner: Owner, name?: Name): Promise<void> {
  await writer
    .deleteFrom('directory_names')
    .where((eb) => eb.and({ ...ofOwner(owner), ...(name && { kind: name.kind, name: name.name }) }))
    .execute();
}

export async function countNamesOf(reader: Reader, owner: Owner): Promise<number> {
  const row = await reader
    .selectFrom('directory_names')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where((eb) => eb.and(ofOwner(owner)))
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

/** Claims without a confirmation that were made before a moment. */
export async function openClaims(reader: Reader, before: number, most: number): Promise<DirectoryNameRow[]> {
  return reader
    .selectFrom('directory_names')
    .selectAll()
    .where('confirmed', '=', 0)
    .where('claimed_at', '<', before)
    .orderBy('claimed_at')
    .limit(most)
    .execute();
}
