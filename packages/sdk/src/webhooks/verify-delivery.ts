import { type Bytes, type CryptoKey, encodeBase64, encodeHex } from '@symbolon/crypto';
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
 * Checks that a delivery comes from the platform (wire 6.3). All secrets are compared every time, in constant time. While a secret
 * is renewed a delivery has two signatures, and either of them will do.
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
    const refused = await checkAuthentication(webhook, secrets, { headers, body }, word);
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

async function checkAuthentication(
  webhook: Exclude<Webhook, { authType: 'none' }>,
  secrets: readonly string[],
  { headers, body }: RawDelivery,
  word: string,
): Promise<WebhookRejectedCode | undefined> {
  if (webhook.authType === 'hmac') {
    const name = `x-${word}-signature`;
    const signature = headerValue(headers, name);
    if (!signature) return 'signature_missing';
    // While a secret is renewed, this one is under the new secret, and the first under the previous.
    const next = headerValue(headers, `${name}-next`);
    const expected = await Promise.all(secrets.map((secret) => signatureOf(body, secret)));
    const isRight = (await isOneOf(signature, expected)) || (next && (await isOneOf(next, expected)));
    return isRight ? undefined : 'signature_wrong';
  }
  const header = headerValue(headers, webhook.authType === 'header' ? webhook.name : 'authorization');
  if (!header) return 'credentials_missing';
  const given = webhook.authType === 'header' ? header : afterScheme(webhook.authType, header);
  const expected =
    webhook.authType === 'basic' ? secrets.map((secret) => encodeBase64(utf8(secret))) : secrets;
  return (await isOneOf(given, expected)) ? undefined : 'credentials_wrong';
}

async function signatureOf(body: Uint8Array, secret: string): Promise<string> {
  return encodeHex(new Uint8Array(await code(await hmacKey(utf8(secret)), body as Bytes)));
}

/**
 * Whether a text is one of those expected. Codes under a key of this call are compared, in constant time, and every text is
 * tried: time reveals neither content nor length, nor which one matched.
 */
async function isOneOf(given: string, expected: readonly string[]): Promise<boolean> {
  const key = await hmacKey(crypto.getRandomValues(new Uint8Array(32)));
  const codeOfGiven = await code(key, utf8(given));
  const matches = expected.map((text) => crypto.subtle.verify('HMAC', key, codeOfGiven, utf8(text)));
  return (await Promise.all(matches)).includes(true);
}

function code(key: CryptoKey, bytes: Bytes): Promise<ArrayBuffer> {
  return crypto.subtle.sign('HMAC', key, bytes);
}

function hmacKey(bytes: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

/** The text after the scheme, whose case is ignored (RFC 9110 section 11.1); empty for another scheme. */
function afterScheme(scheme: 'bearer' | 'basic', authorization: string): string {
  const [name = '', ...rest] = authorization.split(' ');
  return name.toLowerCase() === scheme ? rest.join(' ').trim() : '';
}

function utf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

const { crypto } = globalThis;
