import { Profile, UpdateProfileRequest } from '@symbolon/protocol';
import { actorOf, companyOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import type { Profiles } from './profile.ts';

const PATH = '/api/profile';
// In the baseline of every account client (wire 5.5).
const access = ['portal', 'account_client'] as const;
const tags = ['profile'];

export function profileRoutes(app: App, { profiles }: { profiles: Profiles }): void {
  app.get(
    PATH,
    {
      config: { access },
      schema: { tags, summary: 'How the company shows itself', response: { 200: Profile } },
    },
    async (request) => profiles.get(companyOf(request)),
  );

  app.put(
    PATH,
    {
      config: { access, invalidKeys: { '/display_name': 'profile.display_name_invalid' } },
      schema: {
        tags,
        summary: 'Change the display name',
        body: UpdateProfileRequest,
        response: { 200: Profile },
      },
    },
    async (request) => profiles.rename(companyOf(request), actorOf(request), request.body.display_name),
  );
}
