import type { Core, Domain } from '../../domain.ts';
import type { Replication } from '../../identity/index.ts';
import type { Audit } from '../../operations/index.ts';
import type { Photos } from '../photos/index.ts';
import { Profiles } from './profile.ts';
import { profileRoutes } from './routes.ts';

export function createProfiles(
  core: Core,
  needs: { photos: Photos; audit: Audit; replication: Replication },
): Domain {
  const profiles = new Profiles({ ...core, ...needs });
  return { routes: (app) => profileRoutes(app, { profiles }) };
}
