import { deleteBy, rowBy, updateBy } from '../../../db/by-key.ts';
import type { Engine, Reader, Writer } from '../../../db/database.ts';
import { count, isInserted } from '../../../db/rows.ts';
import type { PluginRow } from './tables.ts';

/** Oldest first. */
export function pluginsOf(reader: Reader, companyId: string): Promise<PluginRow[]> {
  return reader.selectFrom('plugins').selectAll().where('company_id', '=', companyId).orderBy('id').execute();
}

export function pluginOf(reader: Reader, companyId: string, id: string): Promise<PluginRow | undefined> {
  return rowBy(reader, 'plugins', { company_id: companyId, id });
}

/**
 * Reads a plugin for a transaction.
 * @param purpose `use` keeps it from being deleted until the transaction ends: what is about to use it is seen by the check of
 *   its uses then. `delete` waits until no other call keeps it.
 */
export async function claimedPlugin(
  engine: Engine,
  writer: Writer,
  { companyId, id }: { companyId: string; id: string },
  purpose: 'use' | 'delete',
): Promise<PluginRow | undefined> {
  const plugin = writer
    .selectFrom('plugins')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id);
  if (engine === 'sqlite') return plugin.executeTakeFirst();
  return (purpose === 'use' ? plugin.forShare() : plugin.forUpdate()).executeTakeFirst();
}

export function countPlugins(reader: Reader, companyId: string): Promise<number> {
  return count(reader.selectFrom('plugins').where('company_id', '=', companyId));
}

/** False when the company has a plugin at this address, or this one of the platform. */
export function insertPlugin(writer: Writer, row: PluginRow): Promise<boolean> {
  return isInserted(
    writer
      .insertInto('plugins')
      .values(row)
      .onConflict((conflict) => conflict.doNothing()),
  );
}

export async function updatePlugin(
  writer: Writer,
  { company_id, id }: Pick<PluginRow, 'company_id' | 'id'>,
  changes: Partial<Omit<PluginRow, 'company_id' | 'id'>>,
): Promise<void> {
  await updateBy(writer, 'plugins', { company_id, id }, changes);
}

export async function deletePlugin(
  writer: Writer,
  { company_id, id }: Pick<PluginRow, 'company_id' | 'id'>,
): Promise<void> {
  await deleteBy(writer, 'plugins', { company_id, id });
}
