import { deleteBy, rowBy, updateBy } from '../../../db/by-key.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import { count, exists } from '../../../db/rows.ts';
import type { PhotoRow, SharePhotoRow } from './tables.ts';

export async function photosOf(reader: Reader, companyId: string): Promise<PhotoRow[]> {
  return reader.selectFrom('photos').selectAll().where('company_id', '=', companyId).orderBy('id').execute();
}

export async function photoOf(reader: Reader, companyId: string, id: string): Promise<PhotoRow | undefined> {
  return rowBy(reader, 'photos', { company_id: companyId, id });
}

export async function profilePhotoOf(reader: Reader, companyId: string): Promise<PhotoRow | undefined> {
  return rowBy(reader, 'photos', { company_id: companyId, is_profile: 1 });
}

/**
 * A photo that people are shown: a company's profile photo, or one of a service that takes people or that this person is
 * connected to.
 */
export async function photoShownTo(
  reader: Reader,
  personId: string,
  id: string,
): Promise<PhotoRow | undefined> {
  return reader
    .selectFrom('photos')
    .selectAll('photos')
    .where('photos.id', '=', id)
    .where((eb) =>
      eb.or([
        eb('photos.is_profile', '=', 1),
        eb.exists(
          eb
            .selectFrom('share_photos')
            .innerJoin('services', 'services.id', 'share_photos.service_id')
            .select('share_photos.photo_id')
            .whereRef('share_photos.photo_id', '=', 'photos.id')
            .where((shown) =>
              shown.or([
                shown('services.audience', '!=', 'company'),
                shown.exists(
                  shown
                    .selectFrom('connections')
                    .select('connections.id')
                    .whereRef('connections.service_id', '=', 'services.id')
                    .where('connections.customer_id', '=', personId),
                ),
              ]),
            ),
        ),
      ]),
    )
    .executeTakeFirst();
}

export function companyExists(reader: Reader, id: string): Promise<boolean> {
  return exists(reader.selectFrom('companies').select('id').where('id', '=', id).where('region', 'is', null));
}

export function countPhotos(reader: Reader, companyId: string): Promise<number> {
  return count(reader.selectFrom('photos').where('company_id', '=', companyId));
}

/** What the photos of a company take, in bytes, without their thumbnails. */
export async function photoBytes(reader: Reader, companyId: string): Promise<number> {
  const { bytes } = await reader
    .selectFrom('photos')
    .select((eb) => eb.fn.sum<number | null>('size').as('bytes'))
    .where('company_id', '=', companyId)
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
}

export async function insertPhoto(writer: Writer, row: PhotoRow): Promise<void> {
  await writer.insertInto('photos').values(row).execute();
}

export async function setLabel(
  writer: Writer,
  companyId: string,
  id: string,
  label: string | null,
): Promise<void> {
  await updateBy(writer, 'photos', { company_id: companyId, id }, { label });
}

/** Makes a photo the company's profile photo in place of the one before; null makes none. */
export async function setProfilePhoto(writer: Writer, companyId: string, id: string | null): Promise<void> {
  await updateBy(writer, 'photos', { company_id: companyId, is_profile: 1 }, { is_profile: 0 });
  if (id === null) return;
  await updateBy(writer, 'photos', { company_id: companyId, id }, { is_profile: 1 });
}

/** Deletes a photo and takes it off the services that show it. */
export async function deletePhoto(writer: Writer, companyId: string, id: string): Promise<void> {
  await deleteBy(writer, 'share_photos', { company_id: companyId, photo_id: id });
  await deleteBy(writer, 'photos', { company_id: companyId, id });
}

export async function deletePhotosOf(writer: Writer, companyId: string): Promise<void> {
  await deleteBy(writer, 'share_photos', { company_id: companyId });
  await deleteBy(writer, 'photos', { company_id: companyId });
}

/** The photos that a service shows, in their order. */
export async function sharedPhotos(
  reader: Reader,
  service: { companyId: string; serviceId: string },
): Promise<PhotoRow[]> {
  return reader
    .selectFrom('share_photos')
    .innerJoin('photos', (join) =>
      join
        .onRef('photos.company_id', '=', 'share_photos.company_id')
        .onRef('photos.id', '=', 'share_photos.photo_id'),
    )
    .selectAll('photos')
    .where('share_photos.company_id', '=', service.companyId)
    .where('share_photos.service_id', '=', service.serviceId)
    .orderBy('share_photos.position')
    .execute();
}

/** A customer's connections: all of them, or one. */
export interface CustomerConnections {
  readonly customerId: string;
  readonly connectionId?: string | readonly string[];
}

const connectionsOf = (reader: Reader, { customerId, connectionId }: CustomerConnections) => {
  const all = reader.selectFrom('connections').where('connections.customer_id', '=', customerId);
  return connectionId === undefined ? all : all.where('connections.id', 'in', [connectionId].flat());
};

/** The photos that the services a customer is connected to show, in their order. */
export async function sharedWithCustomer(reader: Reader, which: CustomerConnections) {
  return connectionsOf(reader, which)
    .innerJoin('share_photos', (join) =>
      join
        .onRef('share_photos.company_id', '=', 'connections.company_id')
        .onRef('share_photos.service_id', '=', 'connections.service_id'),
    )
    .innerJoin('photos', (join) =>
      join
        .onRef('photos.company_id', '=', 'share_photos.company_id')
        .onRef('photos.id', '=', 'share_photos.photo_id'),
    )
    .selectAll('photos')
    .select('share_photos.service_id')
    .orderBy('share_photos.position')
    .execute();
}

/** The profile photos of the companies a customer is connected to. */
export async function profilePhotosForCustomer(
  reader: Reader,
  which: CustomerConnections,
): Promise<PhotoRow[]> {
  return connectionsOf(reader, which)
    .innerJoin('photos', 'photos.company_id', 'connections.company_id')
    .selectAll('photos')
    .distinct()
    .where('photos.is_profile', '=', 1)
    .execute();
}

export async function replaceSharedPhotos(
  writer: Writer,
  service: { companyId: string; serviceId: string },
  photoIds: readonly string[],
): Promise<void> {
  await deleteBy(writer, 'share_photos', { company_id: service.companyId, service_id: service.serviceId });
  const rows = photoIds.map(
    (photoId, position): SharePhotoRow => ({
      company_id: service.companyId,
      service_id: service.serviceId,
      photo_id: photoId,
      position,
    }),
  );
  if (rows.length > 0) await writer.insertInto('share_photos').values(rows).execute();
}
