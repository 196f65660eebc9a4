import {
  RegenerateWebhookSecretRequest,
  UpdateWebhookRequest,
  Webhook,
  WebhookAttemptPage,
  WebhookAttemptsQuery,
  WebhookList,
  WebhookPreview,
  WebhookRequest,
  WebhookTest,
  WebhookWithSecret,
} from '@symbolon/protocol';

import { actorOf, namedService, type OfService } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Webhooks } from './webhooks.ts';

const invalidKeys = { '/url': 'services.webhook_url_invalid' } as const;

const refOf = (request: OfService) => ({
  ...namedService(request),
  actor: actorOf(request),
});

export function webhookRoutes(app: App, { webhooks }: { webhooks: Webhooks }): void {
  const route = routesOf(app, { tags: ['webhooks'], access: ['portal', 'account_client'] });

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
    'POST /api/services/:id/webhooks/:webhookId/regenerate-secret',
    {
      errors: [
        'services.not_found',
        'services.webhook_auth_invalid',
        'services.webhook_not_found',
        'services.webhook_secret_overlaps',
      ],
      summary: 'Give a webhook another HMAC secret',
      description:
        'While both secrets hold, the signature header stays under the previous one, and one that ends in -next is under the new.',
      body: RegenerateWebhookSecretRequest,
      ok: WebhookWithSecret,
    },
    (request) => webhooks.regenerateSecret(refOf(request), request.params.webhookId, request.body),
  );

  route(
    'DELETE /api/services/:id/webhooks/:webhookId/previous-secret',
    {
      errors: ['services.not_found', 'services.webhook_not_found'],
      summary: 'End the time of the previous HMAC secret now',
      description:
        'The signature header is under the new secret from then on. Without a previous secret nothing changes.',
    },
    (request) => webhooks.endPreviousSecret(refOf(request), request.params.webhookId),
  );
}

/** How the deliveries of a webhook go, and what a developer can do about it. */
export function webhookDeliveryRoutes(app: App, { webhooks }: { webhooks: Webhooks }): void {
  const route = routesOf(app, { tags: ['webhooks'], access: ['portal', 'account_client'] });

  route(
    'POST /api/services/:id/webhooks/:webhookId/test',
    {
      errors: ['services.not_found', 'services.webhook_not_found'],
      summary: 'Send an example event now',
      ok: WebhookTest,
    },
    (request) => webhooks.test(refOf(request), request.params.webhookId),
  );

  route(
    'GET /api/services/:id/webhooks/:webhookId/attempts',
    {
      errors: ['services.not_found', 'services.webhook_not_found'],
      summary: 'What became of the latest deliveries, newest first',
      description:
        'Of the latest 200 of the webhook. Those that were delivered may appear some seconds later.',
      query: WebhookAttemptsQuery,
      ok: WebhookAttemptPage,
    },
    (request) => webhooks.attempts(refOf(request), request.params.webhookId, request.query),
  );

  route(
    'GET /api/services/:id/webhooks/:webhookId/preview',
    {
      errors: ['services.not_found', 'services.webhook_not_found'],
      summary: 'The body of the event that is sent next, as JSON and as XML',
      description: 'While no event waits, that of an example. `encrypt_payload` wraps either of them.',
      ok: WebhookPreview,
    },
    (request) => webhooks.preview(refOf(request), request.params.webhookId),
  );

  route(
    'POST /api/services/:id/webhooks/:webhookId/probe',
    {
      errors: ['services.not_found', 'services.webhook_not_found'],
      summary: 'Try a webhook that is bad again now',
      description:
        'Its oldest event is sent at once instead of when its ten minutes are over. Nothing happens to others, and the answer does not wait for what comes of it.',
      ok: Webhook,
    },
    (request) => webhooks.probe(refOf(request), request.params.webhookId),
  );
}
