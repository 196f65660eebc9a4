import type { Core, Domain } from '../../domain.ts';
import type { Audit, ServiceLogs } from '../../operations/index.ts';
import type { Photos } from '../../profile/index.ts';
import type { Services } from '../services/index.ts';
import { sharePhotoRoutes } from './routes.ts';
import { SharePhotos } from './share-photos.ts';

export function createSharePhotos(
  core: Core,
  needs: { services: Services; photos: Photos; audit: Audit; logs: ServiceLogs },
): Domain {
  const sharePhotos = new SharePhotos({ ...core, ...needs });
  return { routes: (app) => sharePhotoRoutes(app, { sharePhotos }) };
}
