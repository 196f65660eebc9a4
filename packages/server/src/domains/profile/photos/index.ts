import type { Core, Domain } from '../../domain.ts';
import type { Audit, Blobs } from '../../operations/index.ts';
import { Photos } from './photos.ts';
import { photoRoutes } from './routes.ts';
import { photoTables } from './tables.ts';

export type { Photos } from './photos.ts';
export { photosShownBy, photosShownTo } from './shown.ts';
export { replaceSharedPhotos, sharedPhotos } from './store.ts';
export type { PhotoRow } from './tables.ts';
export { toPhoto } from './views.ts';

export function createPhotos(core: Core, needs: { blobs: Blobs; audit: Audit }) {
  const photos = new Photos({ ...core, ...needs });
  const domain: Domain = { tables: photoTables, routes: (app) => photoRoutes(app, { photos }) };
  return { photos, domain };
}
