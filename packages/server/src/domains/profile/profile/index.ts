import type { Core, Domain } from '../../domain.ts';
import type { Replication } from '../../identity/ports.ts';
import type { Audit } from '../../operations/journal/audit.ts';
import type { Photos } from '../photos/photos.ts';
import { Profiles } from './profile.ts';
import { profileRoutes } from './routes.ts';

export function createProfiles(
  core: Core,
  needs: { photos: Photos; audit: Audit; replication: Replication },
): Domain {
  const profiles = new Profiles({ ...core, ...needs });
  return { routes: (app) => profileRoutes(app, { profiles }) };
}
