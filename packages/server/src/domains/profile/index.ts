import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { Replication } from '../../events/replication.ts';
import { type Core, combine, type Domain } from '../domain.ts';
import type { Audit, Blobs } from '../operations/index.ts';
import type { Catalogue } from '../registry/index.ts';
import { CompanyFields } from './company-fields/company-fields.ts';
import { CustomFields } from './company-fields/custom-fields.ts';
import { companyFieldRoutes } from './company-fields/routes.ts';
import { companyFieldTables } from './company-fields/tables.ts';
import { Photos } from './photos/photos.ts';
import { photoRoutes } from './photos/routes.ts';
import { photoTables } from './photos/tables.ts';
import { Profiles } from './profile/profile.ts';
import { profileRoutes } from './profile/routes.ts';

export { businessCards } from './company-fields/company-fields.ts';
export type { Photos } from './photos/photos.ts';
export { photosShownBy, photosShownTo } from './photos/shown.ts';
export { replaceSharedPhotos, sharedPhotos } from './photos/store.ts';
export type { PhotoRow } from './photos/tables.ts';
export { toPhoto } from './photos/views.ts';

/** How a company shows itself: its name, profile fields and photos. */
export function createProfile(
  core: Core,
  needs: {
    audit: Audit;
    blobs: Blobs;
    registry: FieldTypeRegistry;
    catalogue: Catalogue;
    replication: Replication;
  },
) {
  const own = { ...core, ...needs };
  const photos = new Photos(own);
  const profiles = new Profiles({ ...own, photos });
  const customFields = new CustomFields(own);
  const companyFields = new CompanyFields({ ...own, customFields });
  const domain: Domain = {
    tables: [...companyFieldTables, ...photoTables],
    routes(app) {
      profileRoutes(app, { profiles });
      companyFieldRoutes(app, { companyFields, customFields });
      photoRoutes(app, { photos });
    },
    endsWith: [{ company: photos }],
  };
  return { photos, domain: combine(domain) };
}
