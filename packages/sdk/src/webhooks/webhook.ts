import { ConfigurationError } from '../http/errors.ts';
import { WebhookRejected } from './webhook-rejected.ts';

/** Several stand for a rotation: each is accepted. */
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
 * One webhook, whatever its id; or several told apart by the id the platform sends: a `Map` by id, or a function that
 * finds one, such as in a database. A function that throws is a failure of this side: the platform sends again.
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
  // The header is not authenticated yet: nothing long reaches the function.
  if (webhookId.length > ID_MOST) throw new WebhookRejected('webhook_unknown');
  const webhook = await (typeof webhooks === 'function' ? webhooks(webhookId) : webhooks.get(webhookId));
  if (!webhook) throw new WebhookRejected('webhook_unknown');
  return webhook;
}

/**
 * The accepted secrets as texts, those of `basic` as `username:password`. An empty one, such as an environment variable
 * that is not set, would let anybody in.
 *
 * @throws ConfigurationError `sdk.configuration`
 */
export function acceptedSecrets(webhook: Exclude<Webhook, { authType: 'none' }>): readonly string[] {
  const secrets = secretsOf(webhook);
  if (secrets.length > 0 && secrets.every((secret) => typeof secret === 'string' && secret !== ''))
    return secrets;
  const message = `A webhook with the authentication ${webhook.authType} has no secret, or an empty one.`;
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
      // Callers without types: an unknown word must never mean that nothing is checked.
      return [];
  }
}

const ID_MOST = 128;
