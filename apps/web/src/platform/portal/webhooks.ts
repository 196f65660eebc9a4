import type { Webhook, WebhookTest } from '@symbolon/protocol';
import { keys, type Query } from '../queries.ts';
import { portalCall } from './inner/api.ts';

const webhooksOf = (serviceId: string) => `/api/services/${serviceId}/webhooks`;

/** Every webhook of a service. */
export const webhooksQuery = (serviceId: string): Query<readonly Webhook[]> => ({
  key: keys.webhooks(serviceId),
  read: async () => (await portalCall<{ webhooks: Webhook[] }>('GET', webhooksOf(serviceId))).webhooks,
});

/** Has an example event sent now. It changes neither the backlog nor the health. */
export const testWebhook = (serviceId: string, id: string) =>
  portalCall<WebhookTest>('POST', `${webhooksOf(serviceId)}/${id}/test`);
