import { Broadcast, BroadcastRequest } from '@symbolon/protocol';
import { dataClientOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Broadcasts } from './broadcasts.ts';

export function broadcastRoutes(app: App, { broadcasts }: { broadcasts: Broadcasts }): void {
  const route = routesOf(app, { tags: ['messages'], access: ['data_client'] });

  route(
    'POST /api/company-data/broadcast',
    {
      errors: [
        'messages.broadcast_audience_too_large',
        'messages.broadcast_suspended',
        'messages.messaging_not_entitled',
        'messages.messaging_suspended',
        'messages.rate_limited',
        'services.not_found',
      ],
      summary: 'Send a message to all people of the service',
      description:
        'Plain text: the platform can read it. It stands in the thread of everybody who is connected now, and raises no event.',
      body: BroadcastRequest,
      created: Broadcast,
    },
    (request) => broadcasts.send(dataClientOf(request), request.body.body),
  );
}
