import {
  AttachPhotoRequest,
  Id,
  LabelPhotoRequest,
  limits,
  Photo,
  PhotoList,
  ProfilePhoto,
  ProfilePhotoRequest,
  SharePhotosRequest,
  UploadPhotoRequest,
} from '@symbolon/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { actorOf, companyOf, personOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { namesTag } from '../../../http/etag.ts';
import type { ServiceRef } from '../../services/services/services.ts';
import type { SharePhotos } from '../../services/share-photos/share-photos.ts';
import type { ImageForm, Photos, ServedImage } from './photos.ts';

const params = Type.Object({ id: Id });
const access = ['portal', 'account_client'] as const;
const config = { access } as const;
const tags = ['profile'];
const services = ['services'];

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

export function photoRoutes(
  app: App,
  { photos, sharePhotos }: { photos: Photos; sharePhotos: SharePhotos },
): void {
  app.post(
    '/api/photos',
    {
      config,
      bodyLimit: limits.uploadBodyBytes,
      schema: {
        tags,
        summary: 'Upload a photo',
        description:
          'JPEG, PNG or WebP. It is made anew from its pixels: upright, without metadata, within 4096 pixels.',
        body: UploadPhotoRequest,
        response: { 201: Photo },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await photos.upload(companyOf(request), actorOf(request), request.body)),
  );

  app.get(
    '/api/photos',
    { config, schema: { tags, summary: 'List the photos', response: { 200: PhotoList } } },
    async (request) => ({ photos: await photos.list(companyOf(request)) }),
  );

  app.put(
    '/api/photos/profile',
    {
      config,
      schema: {
        tags,
        summary: 'Choose the profile photo',
        description: 'null takes it off the profile.',
        body: ProfilePhotoRequest,
        response: { 200: ProfilePhoto },
      },
    },
    async (request) => ({
      photo: await photos.setProfilePhoto(companyOf(request), actorOf(request), request.body.photo_id),
    }),
  );

  app.get(
    '/api/photos/:id',
    { config, schema: { tags, summary: 'Read a photo', params, response: { 200: Photo } } },
    async (request) => photos.get(companyOf(request), request.params.id),
  );

  app.put(
    '/api/photos/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Say what a photo shows',
        params,
        body: LabelPhotoRequest,
        response: { 200: Photo },
      },
    },
    async (request) =>
      photos.relabel(companyOf(request), actorOf(request), request.params.id, request.body.label),
  );

  app.delete(
    '/api/photos/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Delete a photo',
        description: 'Services and the profile no longer show it.',
        params,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await photos.delete(companyOf(request), actorOf(request), request.params.id);
      return reply.code(204).send(null);
    },
  );

  const send = async (request: FastifyRequest, reply: FastifyReply, found: ServedImage) => {
    const etag = `"${found.hash}"`;
    reply.headers({
      etag,
      // The bytes of an address never change, but the photo may be taken away: whoever keeps them asks again.
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    if (namesTag(request.headers['if-none-match'], etag)) return reply.code(304).send(null);
    return reply.type(found.mediaType).send(await photos.bytes(found));
  };

  for (const form of ['file', 'thumb'] as const) {
    app.get(
      `/api/photos/:id/${form}`,
      { config: { access, alwaysJson: true }, schema: { tags, params, ...FORMS[form] } },
      async (request, reply) =>
        send(request, reply, await photos.image(companyOf(request), request.params.id, form)) as never,
    );
    app.get(
      `/api/person/photos/:id/${form}`,
      {
        config: {
          access: ['person'],
          alwaysJson: true,
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

  const refOf = (request: { params: { id: string } }): ServiceRef => ({
    companyId: companyOf(request as FastifyRequest),
    serviceId: request.params.id,
  });

  app.get(
    '/api/services/:id/photos',
    {
      config,
      schema: {
        tags: services,
        summary: 'List the photos a service shows',
        params,
        response: { 200: PhotoList },
      },
    },
    async (request) => ({ photos: await sharePhotos.list(refOf(request)) }),
  );

  app.post(
    '/api/services/:id/photos',
    {
      config,
      schema: {
        tags: services,
        summary: 'Show one more photo',
        description: 'After the others; one that is shown stays where it is.',
        params,
        body: AttachPhotoRequest,
        response: { 200: PhotoList },
      },
    },
    async (request) => ({
      photos: await sharePhotos.attach(refOf(request), actorOf(request), request.body.photo_id),
    }),
  );

  app.put(
    '/api/services/:id/photos',
    {
      config,
      schema: {
        tags: services,
        summary: 'Arrange the photos a service shows',
        params,
        body: SharePhotosRequest,
        response: { 200: PhotoList },
      },
    },
    async (request) => ({
      photos: await sharePhotos.arrange(refOf(request), actorOf(request), request.body.photo_ids),
    }),
  );

  app.delete(
    '/api/services/:id/photos/:photoId',
    {
      config,
      schema: {
        tags: services,
        summary: 'Take a photo off a service',
        params: Type.Object({ id: Id, photoId: Id }),
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await sharePhotos.detach(refOf(request), actorOf(request), request.params.photoId);
      return reply.code(204).send(null);
    },
  );
}
