import type { Core, Domain } from '../../domain.ts';
import type { Blobs } from '../../operations/blobs/blobs.ts';
import type { Audit } from '../../operations/journal/audit.ts';
import { Photos } from './photos.ts';
import { photoRoutes } from './routes.ts';
import { photoTables } from './tables.ts';

export function createPhotos(core: Core, needs: { blobs: Blobs; audit: Audit }) {
  const photos = new Photos({ ...core, ...needs });
  const domain: Domain = { tables: photoTables, routes: (app) => photoRoutes(app, { photos }) };
  return { photos, domain };
}
