import {
  Id,
  LabelPhotoRequest,
  limits,
  Photo,
  PhotoList,
  ProfilePhoto,
  ProfilePhotoRequest,
  UploadPhotoRequest,
} from '@symbolon/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { actorOf, companyOf, personOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { namesTag } from '../../../http/etag.ts';
import { routesOf } from '../../../http/routes.ts';
import type { ImageForm, Photos, ServedImage } from './photos.ts';

const params = Type.Object({ id: Id });
const access = ['portal', 'account_client'] as const;
const tags = ['profile'];
const imageErrors = ['photos.not_found', 'photos.unavailable'] as const;

const image = (...types: string[]) => ({
  200: {
    content: Object.fromEntries(
      types.map((type) => [type, { schema: Type.String({ contentEncoding: 'binary' }) }]),
    ),
  },
  304: Type.Null(),
});
const FORMS = {
  file: { summary: 'The image', response: image('image/jpeg', 'image/png', 'image/webp') },
  thumb: { summary: 'Its small form', response: image('image/webp') },
} as const satisfies Record<ImageForm, object>;

/** Long because it declares its routes one after the other. */
export function photoRoutes(app: App, { photos }: { photos: Photos }): void {
  const route = routesOf(app, { tags, access });

  route(
    'POST /api/photos',
    {
      errors: [
        'account.storage_full',
        'photos.bad_mime',
        'photos.busy',
        'photos.file_invalid',
        'photos.invalid_image',
        'photos.limit_reached',
        'photos.too_large',
        'photos.too_many_pixels',
        'photos.unavailable',
      ],
      summary: 'Upload a photo',
      description:
        'JPEG, PNG or WebP. It is encoded again from its pixels: upright, without metadata, within 4096 pixels.',
      body: UploadPhotoRequest,
      bodyLimit: limits.uploadBodyBytes,
      created: Photo,
    },
    (request) => photos.upload(companyOf(request), actorOf(request), request.body),
  );

  route('GET /api/photos', { summary: 'List the photos', ok: PhotoList }, async (request) => ({
    photos: await photos.list(companyOf(request)),
  }));

  route(
    'PUT /api/photos/profile',
    {
      errors: ['photos.not_found'],
      summary: 'Choose the profile photo',
      description: 'null takes it off the profile.',
      body: ProfilePhotoRequest,
      ok: ProfilePhoto,
    },
    async (request) => ({
      photo: await photos.setProfilePhoto(companyOf(request), actorOf(request), request.body.photo_id),
    }),
  );

  route(
    'GET /api/photos/:id',
    { errors: ['photos.not_found'], summary: 'Read a photo', ok: Photo },
    (request) => photos.get(companyOf(request), request.params.id),
  );

  route(
    'PUT /api/photos/:id',
    { errors: ['photos.not_found'], summary: 'Say what a photo shows', body: LabelPhotoRequest, ok: Photo },
    (request) => photos.relabel(companyOf(request), actorOf(request), request.params.id, request.body.label),
  );

  route(
    'DELETE /api/photos/:id',
    {
      errors: ['photos.not_found'],
      summary: 'Delete a photo',
      description: 'Services and the profile no longer show it.',
    },
    (request) => photos.delete(companyOf(request), actorOf(request), request.params.id),
  );

  const send = async (request: FastifyRequest, reply: FastifyReply, found: ServedImage) => {
    const etag = `"${found.hash}"`;
    reply.headers({
      etag,
      // The bytes of an address never change, but the photo may be taken away: so caches must revalidate.
      'cache-control': 'private, no-cache',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    if (namesTag(request.headers['if-none-match'], etag)) return reply.code(304).send(null);
    return reply.type(found.mediaType).send(await photos.bytes(found));
  };

  for (const form of ['file', 'thumb'] as const) {
    app.get(
      `/api/photos/:id/${form}`,
      { config: { access, alwaysJson: true, errors: imageErrors }, schema: { tags, params, ...FORMS[form] } },
      async (request, reply) =>
        send(request, reply, await photos.image(companyOf(request), request.params.id, form)) as never,
    );
    app.get(
      `/api/person/photos/:id/${form}`,
      {
        config: {
          access: ['person'],
          alwaysJson: true,
          errors: imageErrors,
          federated: { by: 'id', missing: 'photos.not_found' },
        },
        schema: {
          tags: ['person'],
          description: 'Of a profile photo, or of a photo that a service shows.',
          params,
          ...FORMS[form],
        },
      },
      async (request, reply) =>
        send(request, reply, await photos.imageShownTo(personOf(request), request.params.id, form)) as never,
    );
  }
}
