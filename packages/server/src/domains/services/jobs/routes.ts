import { ServiceJobList } from '@symbolon/protocol';
import { namedService } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { ServiceJobs } from './service-jobs.ts';

export function serviceJobRoutes(app: App, { serviceJobs }: { serviceJobs: ServiceJobs }): void {
  const route = routesOf(app, { tags: ['services'], access: ['portal', 'account_client'] });
  route(
    'GET /api/services/:id/jobs',
    {
      errors: ['services.not_found'],
      summary: 'How far the work is that acts on a service have left to the platform',
      description:
        'The latest first; also of a service that was deleted, for seven days after a job is done.',
      ok: ServiceJobList,
    },
    async (request) => ({
      jobs: await serviceJobs.list(namedService(request)),
    }),
  );
}
