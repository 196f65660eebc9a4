import type { Core, Domain } from '../../domain.ts';
import type { Audit } from '../../operations/journal/audit.ts';
import type { ServiceLogs } from '../../operations/service-log/logs.ts';
import type { Photos } from '../../profile/photos/photos.ts';
import type { Services } from '../services/services.ts';
import { sharePhotoRoutes } from './routes.ts';
import { SharePhotos } from './share-photos.ts';

export function createSharePhotos(
  core: Core,
  needs: { services: Services; photos: Photos; audit: Audit; logs: ServiceLogs },
): Domain {
  const sharePhotos = new SharePhotos({ ...core, ...needs });
  return { routes: (app) => sharePhotoRoutes(app, { sharePhotos }) };
}
