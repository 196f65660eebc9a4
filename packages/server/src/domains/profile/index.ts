import type { FieldTypeRegistry } from '@symbolon/field-types';
import { type Core, combine } from '../domain.ts';
import type { Replication } from '../identity/ports.ts';
import type { Blobs } from '../operations/blobs/blobs.ts';
import type { Audit } from '../operations/journal/audit.ts';
import type { Catalogue } from '../registry/registry.ts';
import { createCompanyFields } from './company-fields/index.ts';
import { createPhotos } from './photos/index.ts';
import { createProfiles } from './profile/index.ts';

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
  return { ...photos, domain: combine(profiles, companyFields, photos.domain) };
}
