import type { Core, Domain, NeedsOf } from '../../domain.ts';
import { sharePhotoRoutes } from './routes.ts';
import { SharePhotos } from './share-photos.ts';

export function createSharePhotos(core: Core, needs: NeedsOf<typeof SharePhotos>): Domain {
  const sharePhotos = new SharePhotos({ ...core, ...needs });
  return { routes: (app) => sharePhotoRoutes(app, { sharePhotos }) };
}
