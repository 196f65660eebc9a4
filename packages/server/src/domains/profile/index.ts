import type { FieldTypeRegistry } from '@symbolon/field-types';
import { type Core, combine } from '../domain.ts';
import type { Audit, Blobs } from '../operations/index.ts';
import type { Replication } from '../people/index.ts';
import type { Catalogue } from '../registry/index.ts';
import { createCompanyFields } from './company-fields/index.ts';
import { createPhotos } from './photos/index.ts';
import { createProfiles } from './profile/index.ts';

export { businessCards } from './company-fields/index.ts';
export {
  type PhotoRow,
  type Photos,
  photosShownBy,
  photosShownTo,
  replaceSharedPhotos,
  sharedPhotos,
  toPhoto,
} from './photos/index.ts';

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
  const photos = createPhotos(core, needs);
  const profiles = createProfiles(core, { ...needs, ...photos });
  const companyFields = createCompanyFields(core, needs);
  return {
    ...photos,
    domain: combine(profiles, companyFields, photos.domain, { endsWith: [{ company: photos.photos }] }),
  };
}
