import { CustomerChangeBatch, CustomerChangeQuery, limits } from '@symbolon/protocol';
import { companyOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import type { Deliveries } from '../../../http/deliveries.ts';
import type { CustomerChanges } from './customer-changes.ts';

export function customerChangeRoutes(
  app: App,
  { customerChanges, deliveries }: { customerChanges: CustomerChanges; deliveries: Deliveries },
): void {
  app.get(
    '/api/customer/changes',
    {
      // It takes events away: not for those who only look.
      config: { access: ['portal', 'account_client'], drains: true, limit: 'changes' },
      schema: {
        tags: ['customer'],
        summary: 'Drain the account feed',
        description:
          'What the company hears of as a customer of services, oldest first. Drains like the feed of a service: `id` is the deduplication key.',
        querystring: CustomerChangeQuery,
        response: { 200: CustomerChangeBatch },
      },
    },
    async (request, reply) => {
      const drain = await customerChanges.drain(
        companyOf(request),
        request.query.limit ?? limits.pageDefault,
      );
      if (drain.events.length > 0) await deliveries.watch(reply.raw, drain);
      return reply.header('cache-control', 'no-store').send({ changes: [...drain.events] });
    },
  );
}
