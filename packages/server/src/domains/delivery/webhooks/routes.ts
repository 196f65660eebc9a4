import {
  UpdateWebhookRequest,
  Webhook,
  WebhookList,
  WebhookRequest,
  WebhookTest,
  WebhookWithSecret,
} from '@symbolon/protocol';

import type { FastifyRequest } from 'fastify';
import { actorOf, companyOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Webhooks } from './webhooks.ts';

const invalidKeys = { '/url': 'services.webhook_url_invalid' } as const;

export function webhookRoutes(app: App, { webhooks }: { webhooks: Webhooks }): void {
  const route = routesOf(app, { tags: ['webhooks'], access: ['portal', 'account_client'] });

  const refOf = (request: FastifyRequest & { params: { id: string } }) => ({
    companyId: companyOf(request),
    serviceId: request.params.id,
    actor: actorOf(request),
  });

  route(
    'POST /api/services/:id/webhooks',
    {
      errors: [
        'services.not_found',
        'services.webhook_auth_invalid',
        'services.webhook_url_invalid',
        'services.webhooks_limit',
      ],
      summary: 'Create a webhook',
      description: 'Without an HMAC secret one is made and shown once, as hmac_secret_once.',
      invalidKeys,
      body: WebhookRequest,
      created: WebhookWithSecret,
    },
    (request) => webhooks.create(refOf(request), request.body),
  );

  route(
    'GET /api/services/:id/webhooks',
    { errors: ['services.not_found'], summary: 'List webhooks', ok: WebhookList },
    async (request) => ({
      webhooks: await webhooks.list(refOf(request)),
    }),
  );

  route(
    'GET /api/services/:id/webhooks/:webhookId',
    { errors: ['services.not_found', 'services.webhook_not_found'], summary: 'Read a webhook', ok: Webhook },
    (request) => webhooks.get(refOf(request), request.params.webhookId),
  );

  route(
    'PUT /api/services/:id/webhooks/:webhookId',
    {
      errors: [
        'flows.not_found',
        'flows.version_not_found',
        'services.not_found',
        'services.webhook_auth_invalid',
        'services.webhook_not_found',
        'services.webhook_secret_required',
      ],
      summary: 'Change the configuration of a webhook',
      description:
        'What is left out stays as it is. Credentials that are sent to the address must be sent again when its origin changes.',
      invalidKeys,
      body: UpdateWebhookRequest,
      ok: WebhookWithSecret,
    },
    (request) => webhooks.update(refOf(request), request.params.webhookId, request.body),
  );

  route(
    'DELETE /api/services/:id/webhooks/:webhookId',
    {
      errors: ['services.not_found', 'services.webhook_not_found'],
      summary: 'Delete a webhook and its backlog',
    },
    (request) => webhooks.delete(refOf(request), request.params.webhookId),
  );

  route(
    'POST /api/services/:id/webhooks/:webhookId/test',
    {
      errors: ['services.not_found', 'services.webhook_not_found'],
      summary: 'Send an example event now',
      ok: WebhookTest,
    },
    (request) => webhooks.test(refOf(request), request.params.webhookId),
  );
}
