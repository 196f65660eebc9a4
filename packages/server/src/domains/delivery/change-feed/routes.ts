import { ChangeBatch, ChangeFeedState, ChangeQuery, limits } from '@symbolon/protocol';
import { dataClientOf, namedService } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import type { ResponseTracker } from '../../../http/response-tracker.ts';
import { routesOf } from '../../../http/routes.ts';
import { answerDrain } from './answer-drain.ts';
import type { Changes } from './changes.ts';

export function changeRoutes(
  app: App,
  { changes, responses }: { changes: Changes; responses: ResponseTracker },
): void {
  const route = routesOf(app, {
    tags: ['company data'],
    access: ['data_client'],
    drains: true,
    limit: 'changes',
  });

  route(
    'GET /api/company-data/changes',
    {
      errors: ['company_data.webhook_not_found'],
      summary: 'Drain the change feed',
      description: `The oldest events, in their order; fewer than asked for when they are large: the rest comes with the next drain. Events may come more than once: \`id\` is the deduplication key.

With \`after\`, the id of the last event that you have stored (empty when there is none), nothing is lost: the call deletes what earlier calls gave this client up to that event, answers with the oldest events that are left, and deletes none of those. An id that was not among them deletes nothing. One consumer at a time: two may both get an event.

Without \`after\`, what is returned is deleted when it seems to have arrived: this client drains the same feed again, closes the connection in order, or five seconds pass without the connection being reset. A response that breaks comes again. Behind a proxy only the proxy's connection is seen.`,
      query: ChangeQuery,
      ok: ChangeBatch,
    },
    async (request, reply) => {
      const { serviceId, clientId } = dataClientOf(request);
      const { limit, webhook_id: webhookId, after } = request.query;
      return answerDrain(
        { request, reply, responses },
        webhookId ?? serviceId,
        { clientId, most: limit ?? limits.pageDefault, after },
        (query) =>
          webhookId === undefined
            ? changes.drainFeed(serviceId, query)
            : changes.drainBacklog(serviceId, webhookId, query),
      );
    },
  );

  routesOf(app, { tags: ['services'], access: ['portal', 'account_client'] })(
    'GET /api/services/:id/changes',
    {
      errors: ['services.not_found'],
      summary: 'Read how far the change feed is behind',
      description: 'How many events wait to be drained, and since when. Nothing is drained by it.',
      ok: ChangeFeedState,
    },
    (request) => changes.state(namedService(request)),
  );
}
