import { MessagingSuspension } from '@symbolon/protocol';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { MessagingStanding } from './standing.ts';

export function standingRoutes(app: App, { standing }: { standing: MessagingStanding }): void {
  const route = routesOf(app, { tags: ['operator'], access: ['operator'] });
  const path = '/api/admin/companies/:id/messaging';

  route(
    `GET ${path}`,
    {
      errors: ['admin.company_not_found'],
      summary: 'Whether the messages or broadcasts of a company are suspended',
      ok: MessagingSuspension,
    },
    (request) => standing.view(request.params.id),
  );

  route(
    `PUT ${path}`,
    {
      errors: ['admin.company_not_found'],
      summary: 'Suspend the messages or broadcasts of a company, or end that',
      description: 'What was sent stays, and can be read and acknowledged.',
      body: MessagingSuspension,
      ok: MessagingSuspension,
    },
    (request) => standing.set(request.params.id, request.body, { source: request.ip }),
  );
}
