import type { Core, Domain, NeedsOf } from '../../domain.ts';
import { Profiles } from './profile.ts';
import { profileRoutes } from './routes.ts';

export function createProfiles(core: Core, needs: NeedsOf<typeof Profiles>): Domain {
  const profiles = new Profiles({ ...core, ...needs });
  return { routes: (app) => profileRoutes(app, { profiles }) };
}
