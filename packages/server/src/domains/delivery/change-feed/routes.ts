import { ChangeBatch, ChangeQuery, limits } from '@symbolon/protocol';
import { dataClientOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import type { Deliveries } from '../../../http/deliveries.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Changes } from './changes.ts';

export function changeRoutes(
  app: App,
  { changes, deliveries }: { changes: Changes; deliveries: Deliveries },
): void {
  const route = routesOf(app, { tags: ['company data'], access: ['data_client'], limit: 'changes' });

  route(
    'GET /api/company-data/changes',
    {
      summary: 'Drain the change feed',
      description:
        'Oldest first. What is returned is deleted once the response has arrived; a response that breaks comes again. Events may come more than once: `id` is the deduplication key.',
      query: ChangeQuery,
      noStore: true,
      ok: ChangeBatch,
    },
    async (request, reply) => {
      const { serviceId } = dataClientOf(request);
      const { limit, webhook_id } = request.query;
      const drain = await changes.drain(serviceId, limit ?? limits.pageDefault, webhook_id);
      if (drain.events.length > 0) await deliveries.watch(reply.raw, drain);
      return { changes: [...drain.events] };
    },
  );
}
