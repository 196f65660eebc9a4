import { Profile, UpdateProfileRequest } from '@symbolon/protocol';
import { actorOf, companyOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Profiles } from './profile.ts';

/** Every account client may call these (wire 5.5). */
export function profileRoutes(app: App, { profiles }: { profiles: Profiles }): void {
  const route = routesOf(app, { tags: ['profile'], access: ['portal', 'account_client'] });

  route('GET /api/profile', { summary: 'How the company shows itself', ok: Profile }, (request) =>
    profiles.get(companyOf(request)),
  );

  route(
    'PUT /api/profile',
    {
      errors: ['profile.display_name_invalid'],
      summary: 'Change the display name',
      invalidKeys: { '/display_name': 'profile.display_name_invalid' },
      body: UpdateProfileRequest,
      ok: Profile,
    },
    (request) => profiles.rename(companyOf(request), actorOf(request), request.body.display_name),
  );
}
