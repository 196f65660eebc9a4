import type { UpdateWebhookRequest, Webhook, WebhookAuthType } from '@symbolon/protocol';
import type { EventName } from '@symbolon/protocol/constants';

/** What changes of a webhook. */
export type WebhookChanges = UpdateWebhookRequest;

/** What a form of a webhook holds that is no secret. */
export type Settings = Required<
  Pick<UpdateWebhookRequest, 'url' | 'format' | 'auth_type' | 'encrypt_payload' | 'enabled'>
> & { readonly events: readonly EventName[] };

export const FIRST_SETTINGS: Settings = {
  url: '',
  events: [],
  format: 'json',
  auth_type: 'hmac',
  encrypt_payload: false,
  enabled: true,
};

/** The secrets of each mode, in the order in which they are typed. */
export const CREDENTIALS = {
  hmac: ['hmac_secret'],
  bearer: ['auth_token'],
  basic: ['auth_username', 'auth_password'],
  header: ['auth_header_name', 'auth_header_value'],
  none: [],
} as const satisfies Readonly<Record<WebhookAuthType, readonly (keyof UpdateWebhookRequest)[]>>;
export const AUTH_TYPES = Object.keys(CREDENTIALS) as readonly WebhookAuthType[];
export type Credential = (typeof CREDENTIALS)[WebhookAuthType][number];

/** The settings that stand in a form: those that were changed in it, and the others as the webhook has them. */
export const shownSettings = (changed: Partial<Settings>, webhook: Webhook | undefined): Settings => ({
  ...(webhook === undefined ? FIRST_SETTINGS : settingsOf(webhook)),
  ...changed,
});

/**
 * What is sent: the members that differ from those of the webhook, so that what another login changed meanwhile stays, and the secrets
 * that were typed for the chosen mode.
 */
export function requestOf(
  changed: Partial<Settings>,
  typed: Partial<Record<Credential, string>>,
  webhook: Webhook | undefined,
): UpdateWebhookRequest {
  const stands = webhook && settingsOf(webhook);
  const shown = shownSettings(changed, webhook);
  const chosen = { ...shown, url: shown.url.trim(), events: [...shown.events] };
  const members = Object.entries(chosen).filter(
    ([member, value]) => stands === undefined || !isSame(value, stands[member as keyof Settings]),
  );
  const secrets = CREDENTIALS[chosen.auth_type].flatMap((member: Credential) =>
    typed[member] ? [[member, typed[member]]] : [],
  );
  return Object.fromEntries([...members, ...secrets]);
}

const settingsOf = ({ url, events, format, auth_type, encrypt_payload, enabled }: Webhook): Settings => ({
  url,
  events: events as EventName[],
  format,
  auth_type,
  encrypt_payload,
  enabled,
});

/** The order of events says nothing. */
const isSame = (one: unknown, other: unknown) => sorted(one) === sorted(other);
const sorted = (value: unknown) => JSON.stringify(Array.isArray(value) ? value.toSorted() : value);
