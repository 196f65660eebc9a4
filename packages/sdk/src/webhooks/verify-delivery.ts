import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { ConfigurationError } from '../http/errors.ts';
import { DEFAULT_HEADER_NAME, type DeliveryHeaders, headerValue } from './headers.ts';
import { acceptedSecrets, findWebhook, type Webhook, type Webhooks } from './webhook.ts';
import { WebhookRejected, type WebhookRejectedCode } from './webhook-rejected.ts';

/** A received request. */
export type RawDelivery = {
  headers: DeliveryHeaders;
  /** The bytes as received. The signature covers them, so a body that was parsed and serialized again does not match. */
  body: Uint8Array;
};

export type VerifyOptions = {
  /** The operator's word in header names. Default `Platform`. */
  headerName?: string | undefined;
  /** Default 1 MiB. */
  maxBytes?: number | undefined;
};

/**
 * Checks that a delivery comes from the platform (wire 6.3). All secrets are compared every time, in constant time.
 *
 * @returns the webhook's id, `null` when the request names none
 * @throws WebhookRejected; ConfigurationError for a webhook without secret or a body that is not raw bytes
 *
 * @example
 * await verifyDelivery({ headers: request.headers, body }, { authType: 'hmac', secret });
 */
export async function verifyDelivery(
  { headers, body }: RawDelivery,
  webhooks: Webhooks,
  options: VerifyOptions = {},
): Promise<{ webhookId: string | null }> {
  checkBody(body, options.maxBytes);
  const word = options.headerName ?? DEFAULT_HEADER_NAME;
  const webhookId = headerValue(headers, `x-${word}-webhook-id`);
  const webhook = await findWebhook(webhooks, webhookId);
  if (webhook.authType !== 'none') {
    const secrets = acceptedSecrets(webhook);
    const refused = checkAuthentication(webhook, secrets, { headers, body }, word);
    if (refused) throw new WebhookRejected(refused);
  }
  return { webhookId: webhookId ?? null };
}

/**
 * @throws WebhookRejected `too_large`; ConfigurationError `sdk.webhook_body_parsed`
 */
export function checkBody(body: unknown, maxBytes = DEFAULT_MAX_BYTES): asserts body is Uint8Array {
  if (!(body instanceof Uint8Array)) throw bodyParsed();
  if (body.length > maxBytes) throw new WebhookRejected('too_large');
}

/** Another parser read the body first, and the signed bytes are lost. */
export function bodyParsed(): ConfigurationError {
  return new ConfigurationError({
    errorKey: 'sdk.webhook_body_parsed',
    message:
      'The body of a webhook delivery was already parsed. Signatures are over the raw bytes: mount the receiver before body parsers such as express.json(), or give its route express.raw({ type: () => true }).',
  });
}

export const DEFAULT_MAX_BYTES = 1024 * 1024;

function checkAuthentication(
  webhook: Exclude<Webhook, { authType: 'none' }>,
  secrets: readonly string[],
  { headers, body }: RawDelivery,
  word: string,
): WebhookRejectedCode | undefined {
  if (webhook.authType === 'hmac') {
    const signature = headerValue(headers, `x-${word}-signature`);
    if (!signature) return 'signature_missing';
    return matchesAny(secrets, (secret) => isSignature(signature, secret, body))
      ? undefined
      : 'signature_wrong';
  }
  const header = headerValue(headers, webhook.authType === 'header' ? webhook.name : 'authorization');
  if (!header) return 'credentials_missing';
  const given = webhook.authType === 'header' ? header : afterScheme(webhook.authType, header);
  const expected = webhook.authType === 'basic' ? secrets.map(base64) : secrets;
  return matchesAny(expected, (secret) => isSame(given, secret)) ? undefined : 'credentials_wrong';
}

/** Every secret is tried, so that the time does not reveal which one matched. */
function matchesAny(secrets: readonly string[], matches: (secret: string) => boolean): boolean {
  return secrets.map(matches).includes(true);
}

function isSignature(signature: string, secret: string, body: Uint8Array): boolean {
  const expected = createHmac('sha256', secret).update(body).digest();
  return LOWER_HEX_SHA256.test(signature) && timingSafeEqual(Buffer.from(signature, 'hex'), expected);
}

/** Digests have one length, so the length of the secret is not revealed either. */
function isSame(given: string, secret: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', secret, 'buffer'));
}

/** The text after the scheme, whose case is ignored (RFC 9110 section 11.1); empty for another scheme. */
function afterScheme(scheme: 'bearer' | 'basic', authorization: string): string {
  const [name = '', ...rest] = authorization.split(' ');
  return name.toLowerCase() === scheme ? rest.join(' ').trim() : '';
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

const LOWER_HEX_SHA256 = /^[0-9a-f]{64}$/;
