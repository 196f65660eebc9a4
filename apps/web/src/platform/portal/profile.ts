import type { ContactData, ContactField, Photo, Profile } from '@symbolon/protocol';
import { jsonOf } from '@symbolon/sdk/device';
import type { Query } from '../queries.ts';
import { portalCall, portalFileCall } from './inner/api.ts';
import { portalKeys } from './keys.ts';

/** How the company shows itself. */
export const profileQuery: Query<Profile> = {
  key: portalKeys.profile,
  read: () => portalCall('GET', '/api/profile'),
};
export const renameCompany = (name: string): Promise<Profile> =>
  portalCall('PUT', '/api/profile', { display_name: name });

/** The photos of the company, of which one is that of its profile. */
export const photosQuery: Query<readonly Photo[]> = {
  key: portalKeys.photos,
  read: async () => (await portalCall<{ photos: Photo[] }>('GET', '/api/photos')).photos,
};
export async function uploadPhoto(file: File): Promise<Photo> {
  const read = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => read.resolve(String(reader.result));
  reader.onerror = () => read.reject(reader.error);
  reader.readAsDataURL(file);
  const answer = await portalFileCall({
    method: 'POST',
    path: '/api/photos',
    json: { file: await read.promise },
  });
  return jsonOf(answer) as Photo;
}
export const showOnProfile = (id: string | null): Promise<void> =>
  portalCall('PUT', '/api/photos/profile', { photo_id: id });
export const deletePhoto = (id: string): Promise<void> => portalCall('DELETE', `/api/photos/${id}`);

/** What stands on its business card. */
export const cardQuery: Query<readonly ContactData[]> = {
  key: portalKeys.businessCard,
  read: async () =>
    (await portalCall<{ contact_data: ContactData[] }>('GET', '/api/contact-data')).contact_data,
};
/** What may stand there. */
export const cardFieldsQuery: Query<readonly ContactField[]> = {
  key: portalKeys.cardFields,
  read: async () => {
    const path = '/api/contact-fields?usertype=company';
    return (await portalCall<{ contact_fields: ContactField[] }>('GET', path)).contact_fields;
  },
};
export const addToCard = (fieldId: string, value: string): Promise<ContactData> =>
  portalCall('POST', '/api/contact-data', { field_id: fieldId, value });
export const changeOnCard = (id: string, value: string): Promise<ContactData> =>
  portalCall('PUT', `/api/contact-data/${id}`, { value });
export const takeOffCard = (id: string): Promise<void> => portalCall('DELETE', `/api/contact-data/${id}`);
