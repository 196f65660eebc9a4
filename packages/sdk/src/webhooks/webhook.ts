import { ConfigurationError } from '../http/errors.ts';
import { WebhookRejected } from './webhook-rejected.ts';

/** During a rotation there are several, and each is accepted. */
export type OneOrMore<T> = T | readonly T[];

export type BasicCredentials = { username: string; password: string };

/** How the platform proves itself to this endpoint: the webhook's `auth_type` with its secret (wire 6.3). */
export type Webhook =
  | { authType: 'hmac'; secret: OneOrMore<string> }
  | { authType: 'bearer'; token: OneOrMore<string> }
  | { authType: 'basic'; credentials: OneOrMore<BasicCredentials> }
  | { authType: 'header'; name: string; value: OneOrMore<string> }
  | { authType: 'none' };

/**
 * One webhook, for any id; or several, as a `Map` by id or as a function that finds one, for instance in a database. When
 * the function throws, the delivery fails and the platform sends it again.
 */
export type Webhooks =
  | Webhook
  | ReadonlyMap<string, Webhook>
  | ((webhookId: string) => Webhook | undefined | Promise<Webhook | undefined>);

/**
 * The webhook of a delivery.
 *
 * @throws WebhookRejected `webhook_id_missing`, `webhook_unknown`
 */
export async function findWebhook(webhooks: Webhooks, webhookId: string | undefined): Promise<Webhook> {
  if ('authType' in webhooks) return webhooks;
  if (!webhookId) throw new WebhookRejected('webhook_id_missing');
  // The header is not authenticated yet, so a long one is refused here.
  if (webhookId.length > ID_MOST) throw new WebhookRejected('webhook_unknown');
  const webhook = await (typeof webhooks === 'function' ? webhooks(webhookId) : webhooks.get(webhookId));
  if (!webhook) throw new WebhookRejected('webhook_unknown');
  return webhook;
}

/**
 * The accepted secrets as texts, those of `basic` as `username:password`. An empty one, for instance from an environment
 * variable that is not set, would accept every delivery, and is refused.
 *
 * @throws ConfigurationError `sdk.configuration`
 */
export function acceptedSecrets(webhook: Exclude<Webhook, { authType: 'none' }>): readonly string[] {
  const secrets = secretsOf(webhook);
  if (secrets.length > 0 && secrets.every((secret) => typeof secret === 'string' && secret !== ''))
    return secrets;
  const message = `A webhook with ${webhook.authType} has no secret.`;
  throw new ConfigurationError({ errorKey: 'sdk.configuration', message });
}

function secretsOf(webhook: Exclude<Webhook, { authType: 'none' }>): readonly string[] {
  switch (webhook.authType) {
    case 'hmac':
      return [webhook.secret].flat();
    case 'bearer':
      return [webhook.token].flat();
    case 'basic':
      return [webhook.credentials].flat().map(({ username, password }) => {
        return username && password ? `${username}:${password}` : '';
      });
    case 'header':
      return webhook.name ? [webhook.value].flat() : [];
    default:
      // For callers without types: an unknown value must never switch off the check.
      return [];
  }
}

const ID_MOST = 128;
