import type { Webhook, WebhookTest } from '@symbolon/protocol';
import { portalCall } from './api.ts';

const webhooksOf = (serviceId: string) => `/api/services/${serviceId}/webhooks`;

/** Every webhook of a service. */
export async function listWebhooks(serviceId: string): Promise<readonly Webhook[]> {
  return (await portalCall<{ webhooks: Webhook[] }>('GET', webhooksOf(serviceId))).webhooks;
}

/** Has an example event sent now. It changes neither the backlog nor the health. */
export const testWebhook = (serviceId: string, id: string) =>
  portalCall<WebhookTest>('POST', `${webhooksOf(serviceId)}/${id}/test`);
