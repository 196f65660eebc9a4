import { AttachPhotoRequest, Id, PhotoList, SharePhotosRequest } from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { actorOf, companyOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import type { ServiceRef } from '../services/services.ts';
import type { SharePhotos } from './share-photos.ts';

const config = { access: ['portal', 'account_client'] } as const;
const params = Type.Object({ id: Id });
const services = ['services'];

export function sharePhotoRoutes(app: App, { sharePhotos }: { sharePhotos: SharePhotos }): void {
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
