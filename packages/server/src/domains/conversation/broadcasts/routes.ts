import { Broadcast, BroadcastRequest, MessageQuery, SentBroadcastList } from '@symbolon/protocol';
import { actorOf, dataClientOf, namedService } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { pageBefore } from '../../../http/page.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Broadcasts } from './broadcasts.ts';

export function broadcastRoutes(app: App, { broadcasts }: { broadcasts: Broadcasts }): void {
  const route = routesOf(app, { tags: ['messages'], access: ['data_client'] });
  route('POST /api/company-data/broadcast', sending, (request) =>
    broadcasts.send(dataClientOf(request), request.body.body),
  );
}

/** The same for the staff of the company, which sees what was sent and how many the next one reaches. */
export function staffBroadcastRoutes(app: App, { broadcasts }: { broadcasts: Broadcasts }): void {
  const route = routesOf(app, { tags: ['messages'], access: ['portal'] });
  const path = '/api/services/:id/broadcasts';
  route(
    `GET ${path}`,
    {
      errors: ['messages.messaging_not_entitled', 'messages.messaging_suspended', 'services.not_found'],
      summary: 'What was sent to all people of the service, newest first, and how many there are now',
      query: MessageQuery,
      ok: SentBroadcastList,
    },
    (request) => broadcasts.list(namedService(request), pageBefore(request.query)),
  );
  route(`POST ${path}`, { ...sending, role: 'admin' }, (request) =>
    broadcasts.send({ ...namedService(request), actor: actorOf(request) }, request.body.body),
  );
}

const sending = {
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
} as const;
