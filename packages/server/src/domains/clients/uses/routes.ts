import { ClientUseList } from '@symbolon/protocol';
import { companyOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { ClientUses } from './uses.ts';

export function clientUseRoutes(app: App, { uses }: { uses: ClientUses }): void {
  const route = routesOf(app, { tags: ['account'], access: ['portal'] });
  route(
    'GET /api/account/client-uses',
    {
      summary: 'List when clients last obtained a token',
      description: 'Data clients, account clients and sign-in apps, to the hour.',
      ok: ClientUseList,
    },
    async (request) => ({ items: await uses.list(companyOf(request)) }),
  );
}
