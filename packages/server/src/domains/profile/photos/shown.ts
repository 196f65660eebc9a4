import type { PhotoLink } from '@symbolon/protocol';
import type { Reader } from '../../../db/database.ts';
import {
  type CustomerConnections,
  profilePhotoOf,
  profilePhotosForCustomer,
  sharedPhotos,
  sharedWithCustomer,
} from './store.ts';
import { toPhotoLink } from './views.ts';

/** What people see of photos, for other features: of a service they look up. */
export async function photosShownBy(
  reader: Reader,
  service: { companyId: string; serviceId: string },
): Promise<{ profile: PhotoLink | null; photos: PhotoLink[] }> {
  const profile = await profilePhotoOf(reader, service.companyId);
  const photos = await sharedPhotos(reader, service);
  return {
    profile: profile === undefined ? null : toPhotoLink(profile),
    photos: photos.map(toPhotoLink),
  };
}

/** The photos that a person's connections show. */
export interface ShownPhotos {
  profileOf(companyId: string): PhotoLink | null;
  ofService(serviceId: string): PhotoLink[];
}

/** Of the services and companies a person is connected to, in as many queries for one as for all. */
export async function photosShownTo(reader: Reader, which: CustomerConnections): Promise<ShownPhotos> {
  const shared = Map.groupBy(await sharedWithCustomer(reader, which), (row) => row.service_id);
  const profiles = new Map(
    (await profilePhotosForCustomer(reader, which)).map((row) => [row.company_id, toPhotoLink(row)]),
  );
  return {
    profileOf: (companyId) => profiles.get(companyId) ?? null,
    ofService: (serviceId) => (shared.get(serviceId) ?? []).map(toPhotoLink),
  };
}
