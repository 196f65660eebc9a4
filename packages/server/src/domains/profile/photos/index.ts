import type { Core, Domain, NeedsOf } from '../../domain.ts';
import { Photos } from './photos.ts';
import { photoRoutes } from './routes.ts';
import { photoTables } from './tables.ts';

export type { Photos } from './photos.ts';
export { photosShownBy, photosShownTo } from './shown.ts';
export { replaceSharedPhotos, sharedPhotos } from './store.ts';
export type { PhotoRow } from './tables.ts';
export { toPhoto } from './views.ts';

export function createPhotos(core: Core, needs: NeedsOf<typeof Photos>) {
  const photos = new Photos({ ...core, ...needs });
  const domain: Domain = { tables: photoTables, routes: (app) => photoRoutes(app, { photos }) };
  return { photos, domain };
}
