import { Id, Webhook, WebhookList, WebhookRequest, WebhookTest, WebhookWithSecret } from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { actorOf, companyOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import type { Webhooks } from './webhooks.ts';

const service = Type.Object({ id: Id });
const webhook = Type.Object({ id: Id, webhookId: Id });
const access = ['portal', 'account_client'] as const;
const invalidKeys = { '/url': 'services.webhook_url_invalid' } as const;
const tags = ['webhooks'];

export function webhookRoutes(app: App, { webhooks }: { webhooks: Webhooks }): void {
  const refOf = (request: { params: { id: string } }) => ({
    companyId: companyOf(request as FastifyRequest),
    serviceId: request.params.id,
    actor: actorOf(request as FastifyRequest),
  });

  app.post(
    '/api/services/:id/webhooks',
    {
      config: { access, invalidKeys },
      schema: {
        tags,
        summary: 'Create a webhook',
        description: 'Without an HMAC secret one is made and shown once, as hmac_secret_once.',
        params: service,
        body: WebhookRequest,
        response: { 201: WebhookWithSecret },
      },
    },
    async (request, reply) => reply.code(201).send(await webhooks.create(refOf(request), request.body)),
  );

  app.get(
    '/api/services/:id/webhooks',
    {
      config: { access },
      schema: { tags, summary: 'List webhooks', params: service, response: { 200: WebhookList } },
    },
    async (request) => ({ webhooks: await webhooks.list(refOf(request)) }),
  );

  app.get(
    '/api/services/:id/webhooks/:webhookId',
    {
      config: { access },
      schema: { tags, summary: 'Read a webhook', params: webhook, response: { 200: Webhook } },
    },
    async (request) => webhooks.get(refOf(request), request.params.webhookId),
  );

  app.put(
    '/api/services/:id/webhooks/:webhookId',
    {
      config: { access, invalidKeys },
      schema: {
        tags,
        summary: 'Replace the configuration of a webhook',
        description: 'Secrets that are left out are kept.',
        params: webhook,
        body: WebhookRequest,
        response: { 200: WebhookWithSecret },
      },
    },
    async (request) => webhooks.update(refOf(request), request.params.webhookId, request.body),
  );

  app.delete(
    '/api/services/:id/webhooks/:webhookId',
    {
      config: { access },
      schema: {
        tags,
        summary: 'Delete a webhook and its backlog',
        params: webhook,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await webhooks.delete(refOf(request), request.params.webhookId);
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/api/services/:id/webhooks/:webhookId/test',
    {
      config: { access },
      schema: { tags, summary: 'Send an example event now', params: webhook, response: { 200: WebhookTest } },
    },
    async (request) => webhooks.test(refOf(request), request.params.webhookId),
  );
}
