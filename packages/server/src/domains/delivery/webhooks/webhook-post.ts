import { createHmac, type KeyObject } from 'node:crypto';
import { serializeWrapper } from '@symbolon/crypto';
import { sealTextSync } from '@symbolon/crypto/node';
import type { ChangeEvent, WebhookFailure } from '@symbolon/protocol';
import { LRUCache } from 'lru-cache';
import { entriesMost } from '../../../core/cache-bounds.ts';
import { toXml } from '../../../http/xml.ts';
import type { OutgoingResult } from '../../../outgoing/result.ts';
import type { OutgoingRequest, OutgoingSender } from '../../../outgoing/sender.ts';
import type { Core } from '../../domain.ts';
import { shownAnswer } from './shown-answer.ts';
import type { DeliverableWebhook } from './store.ts';
import { decryptSecrets, hmacKey, type WebhookSecrets } from './webhook-secrets.ts';

/** What became of one POST. Only an answer of exactly 200 is a delivery (wire 6.3). */
export type PostResult =
  | { readonly delivered: true; readonly status: 200; readonly durationMs: number; readonly answer: string }
  | {
      readonly delivered: false;
      readonly status: number | null;
      readonly kind: WebhookFailure['kind'];
      readonly reason: string;
      readonly durationMs: number;
      /** The beginning of what was answered, as it can be shown. */
      readonly answer?: string;
    };

/** What an attempt tells of the body that it sent. */
export type WebhookBody = Pick<ChangeEvent, 'id' | 'event'> & { readonly test?: unknown };

/** A request that is ready, with what is to be known of it afterwards. */
export interface Post extends OutgoingRequest {
  readonly sent: WebhookBody;
  /** What an answer may not show, see `shownAnswer`. */
  readonly secrets: readonly string[];
}

/** The most webhooks whose headers and keys are kept ready. */
const FORMS_MOST = 10_000;

/** One reason for whatever a look-up says: it would tell which names exist in the network of the platform. */
const NO_ADDRESS =
  'dns: the host has no public address, or no nameserver answered in time; a name must exist and have public addresses only';

/** How one webhook's requests are made: fixed for a version of its configuration. */
interface Form {
  readonly version: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly signingKey: KeyObject | undefined;
  /** That of the secret before, and until when it signs as well. */
  readonly previous: { readonly key: KeyObject; readonly until: number } | undefined;
  readonly secrets: readonly string[];
}

interface Deps extends Pick<Core, 'clock' | 'secrets'> {
  readonly sender: OutgoingSender;
  readonly headerName: string;
  readonly userAgent: string;
}

/** Turns an event into the POST that a webhook is configured for, and sends it (wire 6.3, 6.4). */
export class WebhookPost {
  readonly #deps: Deps;
  readonly #eventHeader: string;
  readonly #signatureHeader: string;
  readonly #nextSignatureHeader: string;
  readonly #webhookIdHeader: string;
  /** Forms by webhook: decrypting secrets for every event would cost more than sending it. */
  readonly #forms = new LRUCache<string, Form>(entriesMost(FORMS_MOST));

  constructor(deps: Deps) {
    this.#deps = deps;
    const prefix = `x-${deps.headerName.toLowerCase()}-`;
    this.#eventHeader = `${prefix}event`;
    this.#signatureHeader = `${prefix}signature`;
    this.#nextSignatureHeader = `${prefix}signature-next`;
    this.#webhookIdHeader = `${prefix}webhook-id`;
  }

  /** The request for an event: its body, authenticated as the webhook is configured. */
  prepare(webhook: DeliverableWebhook, event: ChangeEvent): Post {
    const form = this.#formOf(webhook);
    const body = Buffer.from(bodyOf(webhook, event), 'utf8');
    const headers: Record<string, string> = { ...form.headers, [this.#eventHeader]: event.event };
    if (form.signingKey !== undefined) {
      const signature = signatureOf(body, form.signingKey);
      if (form.previous !== undefined && this.#deps.clock.now() < form.previous.until) {
        headers[this.#signatureHeader] = signatureOf(body, form.previous.key);
        headers[this.#nextSignatureHeader] = signature;
      } else headers[this.#signatureHeader] = signature;
    }
    const { secrets } = form;
    return {
      url: webhook.url,
      party: webhook.company_id,
      method: 'POST',
      headers,
      body,
      sent: event,
      secrets,
    };
  }

  async send(post: Post, signal?: AbortSignal): Promise<PostResult> {
    return toPostResult(await this.#deps.sender.send(post, signal), post.secrets);
  }

  #formOf(webhook: DeliverableWebhook): Form {
    const known = this.#forms.get(webhook.id);
    if (known?.version === webhook.version) return known;
    const secrets = decryptSecrets(this.#deps.secrets, webhook);
    // Without a prototype: `__proto__` is a header name like any other.
    const headers: Record<string, string> = Object.assign(Object.create(null), {
      'content-type':
        webhook.format === 'json' || webhook.encrypt_payload === 1 ? 'application/json' : 'application/xml',
      'user-agent': this.#deps.userAgent,
      [this.#webhookIdHeader]: webhook.id,
    });
    if (webhook.auth_type === 'bearer') headers.authorization = `Bearer ${secrets.auth_token}`;
    if (webhook.auth_type === 'basic') {
      const credentials = Buffer.from(`${secrets.auth_username}:${secrets.auth_password}`, 'utf8');
      headers.authorization = `Basic ${credentials.toString('base64')}`;
    }
    if (webhook.auth_type === 'header' && secrets.auth_header_name !== null) {
      headers[secrets.auth_header_name] = secrets.auth_header_value ?? '';
    }
    const signingKey =
      webhook.auth_type === 'hmac' && secrets.hmac_secret !== null ? hmacKey(secrets.hmac_secret) : undefined;
    const previous = secrets.previous && {
      key: hmacKey(secrets.previous.hmac_secret),
      until: secrets.previous.until,
    };
    const form = {
      version: webhook.version,
      headers,
      signingKey,
      previous,
      secrets: secretTexts(secrets, headers),
    };
    this.#forms.set(webhook.id, form);
    return form;
  }
}

const signatureOf = (body: Buffer, key: KeyObject) => createHmac('sha256', key).update(body).digest('hex');

/** An event in a format of bodies. */
export const eventText = (format: DeliverableWebhook['format'], event: ChangeEvent): string =>
  format === 'xml' ? toXml(event) : JSON.stringify(event);

function bodyOf(webhook: DeliverableWebhook, event: ChangeEvent): string {
  const text = eventText(webhook.format, event);
  // The envelope alone is under OAEP with SHA-1 (wire 6.4); what it holds stays sealed to the service's key.
  return webhook.encrypt_payload === 1
    ? serializeWrapper(sealTextSync(text, webhook.account_public_key, 'SHA-1'))
    : text;
}

/** The secrets of a webhook as they may come back in an answer: also as JSON and in the header of `basic`. */
function secretTexts(
  { auth_header_name: _, previous, ...secrets }: WebhookSecrets,
  { authorization }: Readonly<Record<string, string>>,
): readonly string[] {
  const texts = [...Object.values(secrets), previous?.hmac_secret, authorization?.replace(/^\w+ /, '')];
  return [
    ...new Set(
      texts.flatMap((text) => (text == null || text === '' ? [] : [text, JSON.stringify(text).slice(1, -1)])),
    ),
  ];
}

function toPostResult(result: OutgoingResult, secrets: readonly string[]): PostResult {
  const { durationMs } = result;
  if (result.kind === 'failed' && (result.reason === 'dns' || result.reason === 'address_refused')) {
    return { delivered: false, status: null, kind: 'dns', reason: NO_ADDRESS, durationMs };
  }
  if (result.kind === 'failed') {
    const { reason: kind, detail } = result;
    return { delivered: false, status: null, kind, reason: `${kind}: ${detail}`, durationMs };
  }
  const answer = shownAnswer(result.body, secrets);
  return result.status === 200
    ? { delivered: true, status: 200, durationMs, answer }
    : {
        delivered: false,
        status: result.status,
        kind: 'status',
        reason: `answered ${result.status}, not 200`,
        durationMs,
        answer,
      };
}
