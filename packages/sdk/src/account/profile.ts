import { encodeBase64 } from '@symbolon/crypto';
import type {
  ContactData,
  ContactField,
  CreateContactDataRequest,
  CreateContactFieldRequest,
  Photo,
  Profile,
  UpdateContactDataRequest,
  UpdateContactFieldRequest,
  Usertype,
} from '@symbolon/protocol';
import { type Api, path } from '../http/api.ts';

/** A downloaded image. */
export type PhotoFile = { mediaType: string; bytes: Uint8Array<ArrayBuffer> };

/**
 * How a company shows itself: display name, the values of its business card, custom fields of its catalogue, photos
 * (wire 4.8). Part of `AccountClient` and `PortalClient`, as `profile`. Runs in browsers too.
 *
 * @example
 * await account.profile.rename('Acme');
 * await account.profile.createValue({ field_id: 'email', value: 'hello@acme.example' });
 * const photo = await account.profile.uploadPhoto(await readFile('shop.jpg'), { label: 'Our shop' });
 * await account.profile.showPhotos(service.id, [photo.id]);
 */
export class ProfileClient {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  read(): Promise<Profile> {
    return this.#get('/api/profile');
  }

  /** Changes the display name. @throws InvalidRequestError `profile.display_name_invalid` */
  rename(displayName: string): Promise<Profile> {
    return this.#put('/api/profile', { display_name: displayName });
  }

  /** The values of the business card, oldest first. */
  async values(): Promise<ContactData[]> {
    return (await this.#get<{ contact_data: ContactData[] }>('/api/contact-data')).contact_data;
  }

  /** @throws NotFoundError `contact_data.not_found` */
  value(id: string): Promise<ContactData> {
    return this.#get(path`/api/contact-data/${id}`);
  }

  /**
   * Fills a field of the catalogue. Slug and label default to those of the field. Objects and lists are sent as JSON text.
   *
   * @throws InvalidRequestError `contact_data.value_invalid`, `contact_data.usertype_forbidden`; NotFoundError
   * `contact_fields.not_found`; ConflictError `contact_data.slug_taken`
   */
  createValue(json: CreateContactDataRequest): Promise<ContactData> {
    return this.#api.json({ method: 'POST', path: '/api/contact-data', json });
  }

  /** Members that are left out do not change. */
  updateValue(id: string, json: UpdateContactDataRequest): Promise<ContactData> {
    return this.#put(path`/api/contact-data/${id}`, json);
  }

  deleteValue(id: string): Promise<void> {
    return this.#api.done({ method: 'DELETE', path: path`/api/contact-data/${id}` });
  }

  /** The catalogue: the platform's fields, then the company's own. Can be filtered by kind of profile. */
  async fields(usertype?: Usertype): Promise<ContactField[]> {
    const call = { method: 'GET', path: '/api/contact-fields', query: { usertype } } as const;
    return (await this.#api.json<{ contact_fields: ContactField[] }>(call)).contact_fields;
  }

  /** @throws InvalidRequestError `contact_fields.type_unusable`; ConflictError `contact_fields.slug_taken` */
  createField(json: CreateContactFieldRequest): Promise<ContactField> {
    return this.#api.json({ method: 'POST', path: '/api/contact-fields', json });
  }

  /** What is left out stays. @throws ForbiddenError `contact_fields.system` for a field of the platform */
  updateField(id: string, json: UpdateContactFieldRequest): Promise<ContactField> {
    return this.#put(path`/api/contact-fields/${id}`, json);
  }

  /** @throws ConflictError `contact_fields.in_use`, whose `details.in_use` names the values of it */
  deleteField(id: string): Promise<void> {
    return this.#api.done({ method: 'DELETE', path: path`/api/contact-fields/${id}` });
  }

  /** Oldest first. */
  async photos(): Promise<Photo[]> {
    return (await this.#get<{ photos: Photo[] }>('/api/photos')).photos;
  }

  /** @throws NotFoundError `photos.not_found` */
  photo(id: string): Promise<Photo> {
    return this.#get(path`/api/photos/${id}`);
  }

  /**
   * Uploads a JPEG, PNG or WebP image. The platform encodes it again: upright, without metadata, at most 4096 pixels wide and high.
   *
   * @throws InvalidRequestError `photos.bad_mime`, `photos.invalid_image`, `photos.too_many_pixels`; ConflictError
   * `photos.limit_reached`
   */
  uploadPhoto(image: Uint8Array, options: { label?: string } = {}): Promise<Photo> {
    const json = { file: encodeBase64(image), ...options };
    return this.#api.json({ method: 'POST', path: '/api/photos', json });
  }

  /** Sets the description of a photo; `null` removes it. */
  labelPhoto(id: string, label: string | null): Promise<Photo> {
    return this.#put(path`/api/photos/${id}`, { label });
  }

  /** Deletes a photo. Services and the profile no longer show it. */
  deletePhoto(id: string): Promise<void> {
    return this.#api.done({ method: 'DELETE', path: path`/api/photos/${id}` });
  }

  /** The image itself, or its small form. */
  async photoFile(id: string, form: 'file' | 'thumb' = 'file'): Promise<PhotoFile> {
    const accept = 'image/*, application/json';
    const { headers, bytes } = await this.#api.send({
      method: 'GET',
      path: `${path`/api/photos/${id}`}/${form}`,
      accept,
    });
    return { mediaType: headers.get('content-type') ?? '', bytes };
  }

  /** Sets the profile photo; `null` removes it. */
  async setProfilePhoto(id: string | null): Promise<Photo | null> {
    return (await this.#put<{ photo: Photo | null }>('/api/photos/profile', { photo_id: id })).photo;
  }

  /** The photos a service shows, in their order. */
  async shownPhotos(serviceId: string): Promise<Photo[]> {
    return (await this.#get<{ photos: Photo[] }>(path`/api/services/${serviceId}/photos`)).photos;
  }

  /** Shows exactly these photos, in this order. */
  async showPhotos(serviceId: string, photoIds: readonly string[]): Promise<Photo[]> {
    const json = { photo_ids: photoIds };
    return (await this.#put<{ photos: Photo[] }>(path`/api/services/${serviceId}/photos`, json)).photos;
  }

  /** Shows one more photo, after the others. */
  async showPhoto(serviceId: string, photoId: string): Promise<Photo[]> {
    const address = path`/api/services/${serviceId}/photos`;
    const json = { photo_id: photoId };
    const { photos } = await this.#api.json<{ photos: Photo[] }>({ method: 'POST', path: address, json });
    return photos;
  }

  /** Removes a photo from a service. */
  hidePhoto(serviceId: string, photoId: string): Promise<void> {
    return this.#api.done({ method: 'DELETE', path: path`/api/services/${serviceId}/photos/${photoId}` });
  }

  #get<T>(path: string): Promise<T> {
    return this.#api.json({ method: 'GET', path });
  }

  #put<T>(path: string, json: unknown): Promise<T> {
    return this.#api.json({ method: 'PUT', path, json });
  }
}
