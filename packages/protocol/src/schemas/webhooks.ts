import { type Static, Type } from 'typebox';
import { type EventName, eventNames } from '../events.ts';
import { limits } from '../limits.ts';
import { Exact, Id, Nullable, Page, PageQuery, Time } from './common.ts';

export const WebhookFormat = Type.Union([Type.Literal('json'), Type.Literal('xml')]);
export type WebhookFormat = Static<typeof WebhookFormat>;
/** How the platform authenticates to a receiver (wire 6.3). */
export const WebhookAuthType = Type.Union([
  Type.Literal('hmac'),
  Type.Literal('bearer'),
  Type.Literal('basic'),
  Type.Literal('header'),
  Type.Literal('none'),
]);
export type WebhookAuthType = Static<typeof WebhookAuthType>;
/** Health of a webhook (wire 3.3). */
export const WebhookHealth = Type.Union([
  Type.Literal('unknown'),
  Type.Literal('running'),
  Type.Literal('bad'),
]);
export type WebhookHealth = Static<typeof WebhookHealth>;

const Secret = Type.Optional(Nullable(Type.String({ maxLength: 4096 })));

/** A new webhook as it is sent (wire 2.8). Members that are left out get their defaults. */
export const WebhookRequest = Exact({
  url: Type.String({ maxLength: 2048 }),
  events: Type.Optional(
    Type.Array(Type.Unsafe<EventName>(Type.Union(eventNames.map((name) => Type.Literal(name)))), {
      maxItems: 100,
      description: 'empty: all events',
    }),
  ),
  format: Type.Optional(WebhookFormat),
  auth_type: Type.Optional(WebhookAuthType),
  encrypt_payload: Type.Optional(Type.Boolean()),
  enabled: Type.Optional(Type.Boolean({ description: 'false: events of that time are not kept' })),
  paused: Type.Optional(
    Type.Boolean({ description: 'true: events are held, and sent once it is false again' }),
  ),
  hmac_secret: Secret,
  auth_token: Secret,
  auth_username: Secret,
  auth_password: Secret,
  auth_header_name: Secret,
  auth_header_value: Secret,
});
export type WebhookRequest = Static<typeof WebhookRequest>;

/** Changes of a webhook. What is left out stays as it is, and so does a secret that comes back masked. */
export const UpdateWebhookRequest = Exact({
  ...WebhookRequest.properties,
  url: Type.Optional(WebhookRequest.properties.url),
});
export type UpdateWebhookRequest = Static<typeof UpdateWebhookRequest>;

/** A new HMAC secret for a webhook. */
export const RegenerateWebhookSecretRequest = Exact({
  overlap_hours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: limits.webhookSecretOverlapHoursMost,
      default: 24,
      description: 'for how long the previous secret signs beside the new one; 0: it ends at once',
    }),
  ),
  hmac_secret: Type.Optional(
    Type.String({ minLength: 1, maxLength: 4096, description: 'left out: one is made and shown once' }),
  ),
});
export type RegenerateWebhookSecretRequest = Static<typeof RegenerateWebhookSecretRequest>;

const Masked = Nullable(Type.String({ description: 'masked: four bullets and the last four characters' }));

/** Why a delivery failed, by what did. */
export const webhookFailureKinds = [
  'status',
  'address_refused',
  'dns',
  'connect',
  'tls',
  'timeout',
  'reset',
  'too_large',
  'invalid',
  'aborted',
] as const;
/** The delivery that failed last; it stays when the webhook runs again. */
export const WebhookFailure = Type.Object({
  at: Time,
  status: Nullable(Type.Integer({ description: 'of the answer, when there was one' })),
  kind: Type.Enum([...webhookFailureKinds], { description: 'status: the answer was not 200' }),
  reason: Type.String({ description: 'for people' }),
});
export type WebhookFailure = Static<typeof WebhookFailure>;

export const Webhook = Type.Object({
  id: Id,
  url: Type.String(),
  events: Type.Array(Type.String()),
  format: WebhookFormat,
  auth_type: WebhookAuthType,
  encrypt_payload: Type.Boolean(),
  enabled: Type.Boolean(),
  paused: Type.Boolean({ description: 'events are held: they wait in the backlog, and nothing is sent' }),
  health: WebhookHealth,
  health_changed_at: Time,
  next_probe_at: Nullable(Time),
  last_failure: Nullable(WebhookFailure),
  backlog: Type.Integer({ description: 'events that wait' }),
  oldest_backlog_at: Nullable(Time),
  hmac_secret: Masked,
  previous_secret_until: Type.Optional(
    Type.String({
      description:
        'present while the secret before this one signs as well: until when (ISO 8601, UTC, milliseconds)',
    }),
  ),
  auth_token: Masked,
  auth_username: Masked,
  auth_password: Masked,
  auth_header_name: Masked,
  auth_header_value: Masked,
  created_at: Time,
  updated_at: Time,
});
export type Webhook = Static<typeof Webhook>;
export const WebhookWithSecret = Type.Object({
  ...Webhook.properties,
  hmac_secret_once: Type.Optional(Type.String({ description: 'the generated HMAC secret, shown this once' })),
});
export type WebhookWithSecret = Static<typeof WebhookWithSecret>;
export const WebhookList = Type.Object({ webhooks: Type.Array(Webhook) });

/** The result of a test delivery, which does not change the queue or the health. */
export const WebhookTest = Type.Object({
  delivered: Type.Boolean({ description: 'whether the endpoint answered 200' }),
  status: Nullable(Type.Integer()),
  reason: Nullable(Type.String()),
  duration_ms: Type.Integer(),
});
export type WebhookTest = Static<typeof WebhookTest>;

/** One POST of a webhook, and what came of it. */
export const WebhookAttempt = Type.Object({
  id: Id,
  at: Type.String({ description: 'when it was sent: ISO 8601, UTC, milliseconds' }),
  event: Type.String({ description: 'what was sent' }),
  event_id: Type.String({ description: 'the `id` in the body that was sent' }),
  test: Type.Boolean({ description: 'an example, sent on request' }),
  delivered: Type.Boolean({ description: 'whether the endpoint answered 200' }),
  status: Nullable(Type.Integer({ description: 'of the answer, when there was one' })),
  kind: Nullable(Type.Enum([...webhookFailureKinds], { description: 'of a failure' })),
  reason: Nullable(Type.String({ description: 'of a failure, for people' })),
  duration_ms: Type.Integer(),
  answer: Nullable(
    Type.String({
      description:
        'the beginning of the body that was answered, as text; sealed values, credentials of the webhook and long codes are taken out; null without an answer',
    }),
  ),
});
export type WebhookAttempt = Static<typeof WebhookAttempt>;
export const WebhookAttemptsQuery = Type.Object({
  ...PageQuery.properties,
  only: Type.Optional(
    Type.Enum(['failed', 'tests'], { description: 'failed: those that were not answered 200' }),
  ),
});
export type WebhookAttemptsQuery = Static<typeof WebhookAttemptsQuery>;
export const WebhookAttemptPage = Page(WebhookAttempt);
export type WebhookAttemptPage = Static<typeof WebhookAttemptPage>;

/** A body as it is sent, in both formats. */
export const WebhookPreview = Type.Object({
  event: Type.String(),
  example: Type.Boolean({ description: 'no event waits: it is made up, and has `"test": true`' }),
  json: Type.String(),
  xml: Type.String(),
});
export type WebhookPreview = Static<typeof WebhookPreview>;
