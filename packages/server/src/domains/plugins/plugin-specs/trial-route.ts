import { PluginPass } from '@symbolon/protocol';
import { companyOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { PluginSpecs } from './plugin-specs.ts';

/** For staff, who try a plugin before anything uses it. */
export function trialRoute(app: App, { specs }: { readonly specs: PluginSpecs }): void {
  routesOf(app, { tags: ['plugins'], access: ['portal'] })(
    'POST /api/account/plugins/:id/trial-pass',
    {
      errors: ['plugins.not_found'],
      summary: 'A pass to try what a plugin offers',
      description: 'Its field types stand in `specs` under their keys. What is tried is kept nowhere.',
      ok: PluginPass,
    },
    (request) => specs.trial(companyOf(request), request.params.id, request.headers.host),
  );
}
