import type { Reader, Writer } from '../../../db/database.ts';
import { timeOfNth } from '../../../db/rows.ts';
import { unindexed } from '../../../db/unindexed.ts';
import type { ServiceRef } from './store.ts';
import type { FlowRunUploadRow } from './tables.ts';

/** Uploads of one caller to a service, by their ids; those that are not there or have expired are missing. */
export async function uploadsOf(
  reader: Reader,
  { companyId, serviceId }: ServiceRef,
  { uploaderId, ids }: { uploaderId: string; ids: readonly string[] },
  now: number,
): Promise<FlowRunUploadRow[]> {
  if (ids.length === 0) return [];
  const found = await reader
    .selectFrom('flow_run_uploads')
    .selectAll()
    .where('id', 'in', ids)
    .where(unindexed('company_id'), '=', companyId)
    .where(unindexed('service_id'), '=', serviceId)
    .where(unindexed('uploader_id'), '=', uploaderId)
    .execute();
  return found.filter(({ expires_at }) => expires_at > now);
}

/** When fewer than so many uploads of one caller to a service wait; undefined where there are fewer. */
export function fullUntil(
  reader: Reader,
  { serviceId, uploaderId }: { serviceId: string; uploaderId: string },
  most: number,
  now: number,
): Promise<number | undefined> {
  const waiting = reader
    .selectFrom('flow_run_uploads')
    .where('uploader_id', '=', uploaderId)
    .where('service_id', '=', serviceId)
    .where('expires_at', '>', now);
  return timeOfNth(waiting, 'expires_at', most);
}

export async function insertUpload(writer: Writer, row: FlowRunUploadRow): Promise<void> {
  await writer.insertInto('flow_run_uploads').values(row).execute();
}

/** Takes out uploads that an act has named. */
export async function deleteUploads(
  writer: Writer,
  uploads: readonly Pick<FlowRunUploadRow, 'company_id' | 'service_id' | 'id'>[],
): Promise<void> {
  const [first] = uploads;
  if (first === undefined) return;
  await writer
    .deleteFrom('flow_run_uploads')
    .where(
      'id',
      'in',
      uploads.map(({ id }) => id),
    )
    .where(unindexed('company_id'), '=', first.company_id)
    .where(unindexed('service_id'), '=', first.service_id)
    .execute();
}
