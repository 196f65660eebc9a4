import { AttachPhotoRequest, PhotoList, SharePhotosRequest } from '@symbolon/protocol';

import { actorOf, namedService } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { SharePhotos } from './share-photos.ts';

export function sharePhotoRoutes(app: App, { sharePhotos }: { sharePhotos: SharePhotos }): void {
  const route = routesOf(app, { tags: ['services'], access: ['portal', 'account_client'] });

  route(
    'GET /api/services/:id/photos',
    { errors: ['services.not_found'], summary: 'List the photos a service shows', ok: PhotoList },
    async (request) => ({ photos: await sharePhotos.list(namedService(request)) }),
  );

  route(
    'POST /api/services/:id/photos',
    {
      errors: ['photos.limit_reached', 'photos.not_found', 'services.not_found'],
      summary: 'Show one more photo',
      description: 'After the others; one that is shown stays where it is.',
      body: AttachPhotoRequest,
      ok: PhotoList,
    },
    async (request) => ({
      photos: await sharePhotos.attach(namedService(request), actorOf(request), request.body.photo_id),
    }),
  );

  route(
    'PUT /api/services/:id/photos',
    {
      errors: ['photos.limit_reached', 'photos.not_found', 'services.not_found'],
      summary: 'Arrange the photos a service shows',
      body: SharePhotosRequest,
      ok: PhotoList,
    },
    async (request) => ({
      photos: await sharePhotos.arrange(namedService(request), actorOf(request), request.body.photo_ids),
    }),
  );

  route(
    'DELETE /api/services/:id/photos/:photoId',
    { errors: ['photos.not_found', 'services.not_found'], summary: 'Take a photo off a service' },
    (request) => sharePhotos.detach(namedService(request), actorOf(request), request.params.photoId),
  );
}
