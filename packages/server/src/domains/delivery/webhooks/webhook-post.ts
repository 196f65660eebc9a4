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
import type { DeliverableWebhook } from './store.ts';
import { decryptSecrets, hmacKey } from './webhook-secrets.ts';

/** What became of one POST. Only an answer of exactly 200 is a delivery (wire 6.3). */
export type PostResult =
  | { readonly delivered: true; readonly status: 200; readonly durationMs: number }
  | {
      readonly delivered: false;
      readonly status: number | null;
      readonly kind: WebhookFailure['kind'];
      readonly reason: string;
      readonly durationMs: number;
    };

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
}

interface Deps extends Pick<Core, 'secrets'> {
  readonly sender: OutgoingSender;
  readonly headerName: string;
  readonly userAgent: string;
}

/** Turns an event into the POST that a webhook is configured for, and sends it (wire 6.3, 6.4). */
export class WebhookPost {
  readonly #deps: Deps;
  readonly #eventHeader: string;
  readonly #signatureHeader: string;
  readonly #webhookIdHeader: string;
  /** Forms by webhook: decrypting secrets for every event would cost more than sending it. */
  readonly #forms = new LRUCache<string, Form>(entriesMost(FORMS_MOST));

  constructor(deps: Deps) {
    this.#deps = deps;
    const prefix = `x-${deps.headerName.toLowerCase()}-`;
    this.#eventHeader = `${prefix}event`;
    this.#signatureHeader = `${prefix}signature`;
    this.#webhookIdHeader = `${prefix}webhook-id`;
  }

  /** The request for an event: its body, authenticated as the webhook is configured. */
  prepare(webhook: DeliverableWebhook, event: ChangeEvent): OutgoingRequest {
    const form = this.#formOf(webhook);
    const body = Buffer.from(bodyOf(webhook, event), 'utf8');
    const headers: Record<string, string> = { ...form.headers, [this.#eventHeader]: event.event };
    if (form.signingKey !== undefined) {
      headers[this.#signatureHeader] = createHmac('sha256', form.signingKey).update(body).digest('hex');
    }
    return { url: webhook.url, party: webhook.company_id, method: 'POST', headers, body };
  }

  async send(request: OutgoingRequest, signal?: AbortSignal): Promise<PostResult> {
    return toPostResult(await this.#deps.sender.send(request, signal));
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
    const form = { version: webhook.version, headers, signingKey };
    this.#forms.set(webhook.id, form);
    return form;
  }
}

function bodyOf(webhook: DeliverableWebhook, event: ChangeEvent): string {
  const text = webhook.format === 'xml' ? toXml(event) : JSON.stringify(event);
  // The envelope alone is under OAEP with SHA-1 (wire 6.4); what it holds stays sealed to the service's key.
  return webhook.encrypt_payload === 1
    ? serializeWrapper(sealTextSync(text, webhook.account_public_key, 'SHA-1'))
    : text;
}

function toPostResult(result: OutgoingResult): PostResult {
  const { durationMs } = result;
  if (result.kind === 'failed' && (result.reason === 'dns' || result.reason === 'address_refused')) {
    return { delivered: false, status: null, kind: 'dns', reason: NO_ADDRESS, durationMs };
  }
  if (result.kind === 'failed') {
    const { reason: kind, detail } = result;
    return { delivered: false, status: null, kind, reason: `${kind}: ${detail}`, durationMs };
  }
  return result.status === 200
    ? { delivered: true, status: 200, durationMs }
    : {
        delivered: false,
        status: result.status,
        kind: 'status',
        reason: `answered ${result.status}, not 200`,
        durationMs,
      };
}
