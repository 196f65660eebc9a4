import type {
  Service,
  UpdateWebhookRequest,
  Webhook,
  WebhookAttempt,
  WebhookAttemptPage,
  WebhookPreview,
  WebhookRequest,
  WebhookTest,
  WebhookWithSecret,
} from '@symbolon/protocol';
import { limits } from '@symbolon/protocol/constants';
import type { Query } from '../queries.ts';
import { portalCall } from './inner/api.ts';
import { portalKeys } from './keys.ts';

const webhooksOf = (serviceId: string) => `/api/services/${serviceId}/webhooks`;

/** Every webhook of a service. */
export const webhooksQuery = (serviceId: string): Query<readonly Webhook[]> => ({
  key: portalKeys.webhooks(serviceId),
  read: async () => (await portalCall<{ webhooks: Webhook[] }>('GET', webhooksOf(serviceId))).webhooks,
});

/** Deliveries fail while one looks. */
const WATCH_MS = 5_000;

export const webhookQuery = (serviceId: string, id: string): Query<Webhook> => ({
  key: portalKeys.webhook(serviceId, id),
  read: () => portalCall('GET', `${webhooksOf(serviceId)}/${id}`),
  everyMs: WATCH_MS,
});

/** What became of its latest deliveries: all that are kept, newest first. */
export const attemptsQuery = (serviceId: string, id: string): Query<readonly WebhookAttempt[]> => ({
  key: portalKeys.webhookAttempts(serviceId, id),
  read: async () => {
    const path = `${webhooksOf(serviceId)}/${id}/attempts?limit=${limits.webhookAttemptsKept}`;
    return (await portalCall<WebhookAttemptPage>('GET', path)).items;
  },
  everyMs: WATCH_MS,
});

/** The body that is sent next, or that of an example. @param since when the oldest event that waits was raised */
export const previewQuery = (serviceId: string, id: string, since: string | null): Query<WebhookPreview> => ({
  key: portalKeys.webhookPreview(serviceId, id),
  part: since ?? '',
  read: () => portalCall('GET', `${webhooksOf(serviceId)}/${id}/preview`),
});

/** Has the oldest event of one that is bad sent now. */
export const probeWebhook = (serviceId: string, id: string) =>
  portalCall<Webhook>('POST', `${webhooksOf(serviceId)}/${id}/probe`);

/** Has an example event sent now. It changes neither the backlog nor the health. */
export const testWebhook = (serviceId: string, id: string) =>
  portalCall<WebhookTest>('POST', `${webhooksOf(serviceId)}/${id}/test`);

/** Without a secret of the company's own the platform makes one, which is in this answer alone. */
export const createWebhook = (serviceId: string, webhook: WebhookRequest) =>
  portalCall<WebhookWithSecret>('POST', webhooksOf(serviceId), webhook);

export const changeWebhook = (serviceId: string, id: string, webhook: UpdateWebhookRequest) =>
  portalCall<WebhookWithSecret>('PUT', `${webhooksOf(serviceId)}/${id}`, webhook);

/** Another HMAC secret; for some hours the one before it signs as well. */
export const regenerateSecret = (serviceId: string, id: string, hours: number) =>
  portalCall<WebhookWithSecret>('POST', `${webhooksOf(serviceId)}/${id}/regenerate-secret`, {
    overlap_hours: hours,
  });

export const endPreviousSecret = (serviceId: string, id: string) =>
  portalCall<void>('DELETE', `${webhooksOf(serviceId)}/${id}/previous-secret`);

/** Deletes its backlog, too. */
export const deleteWebhook = (serviceId: string, id: string) =>
  portalCall<void>('DELETE', `${webhooksOf(serviceId)}/${id}`);

export interface WebhookOfService {
  readonly service: Service;
  readonly webhook: Webhook;
}

/** The webhooks of all services, one service after the other. */
export const allWebhooksQuery = (services: readonly Service[]): Query<readonly WebhookOfService[]> => ({
  key: portalKeys.allWebhooks(...services.map(({ id }) => id)),
  read: async () => {
    const found: WebhookOfService[] = [];
    for (const service of services) {
      const webhooks = await webhooksQuery(service.id).read(undefined);
      found.push(...webhooks.map((webhook) => ({ service, webhook })));
    }
    return found;
  },
});
