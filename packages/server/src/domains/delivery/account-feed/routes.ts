import { CustomerChangeBatch, CustomerChangeQuery, limits } from '@symbolon/protocol';
import { companyOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import type { Deliveries } from '../../../http/deliveries.ts';
import { routesOf } from '../../../http/routes.ts';
import type { CustomerChanges } from './customer-changes.ts';

export function customerChangeRoutes(
  app: App,
  { customerChanges, deliveries }: { customerChanges: CustomerChanges; deliveries: Deliveries },
): void {
  const route = routesOf(app, {
    tags: ['customer'],
    access: ['portal', 'account_client'],
    // It takes events away, so it is not for viewers.
    drains: true,
    limit: 'changes',
  });

  route(
    'GET /api/customer/changes',
    {
      summary: 'Drain the account feed',
      description:
        'What the company hears of as a customer of services, oldest first. Drains like the feed of a service: `id` is the deduplication key.',
      query: CustomerChangeQuery,
      noStore: true,
      ok: CustomerChangeBatch,
    },
    async (request, reply) => {
      const drain = await customerChanges.drain(
        companyOf(request),
        request.query.limit ?? limits.pageDefault,
      );
      if (drain.events.length > 0) await deliveries.watch(reply.raw, drain);
      return { changes: [...drain.events] };
    },
  );
}
