import {
  CustomerChangeBatch,
  type CustomerChangeEvent,
  CustomerChangeQuery,
  limits,
} from '@symbolon/protocol';
import { actorOf, companyOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import type { ResponseTracker } from '../../../http/response-tracker.ts';
import { routesOf } from '../../../http/routes.ts';
import { answerDrain } from '../change-feed/answer-drain.ts';
import type { Changes, Drain } from '../change-feed/changes.ts';

export function customerChangeRoutes(
  app: App,
  { changes, responses }: { changes: Changes; responses: ResponseTracker },
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
        'What the company hears of as a customer of services, oldest first. Drains like the feed of a service, with `after` and without; `id` is the deduplication key.',
      query: CustomerChangeQuery,
      ok: CustomerChangeBatch,
    },
    async (request, reply) => {
      const query = {
        clientId: actorOf(request).id,
        most: request.query.limit ?? limits.pageDefault,
        after: request.query.after,
      };
      const companyId = companyOf(request);
      return answerDrain({ request, reply, responses }, companyId, query, async (drain) => {
        // Every event of an account feed is raised with the members that this type adds.
        type CustomerDrain = Drain & { readonly events: readonly CustomerChangeEvent[] };
        return (await changes.drainFeed(companyId, drain)) as CustomerDrain;
      });
    },
  );
}
