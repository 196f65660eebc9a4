import type { CryptoKey } from '@symbolon/crypto';
import type { ChangeEvent } from '@symbolon/protocol';
import type { Change } from '../data/change.ts';
import { type AccountKeySource, importAccountKey } from './account-key.ts';
import { deliveryKey } from './delivery-key.ts';
import { type ParsedDelivery, parseDelivery } from './parse-delivery.ts';
import { MemorySeenDeliveries, type SeenDeliveries } from './seen-deliveries.ts';
import { DEFAULT_MAX_BYTES, type RawDelivery, verifyDelivery } from './verify-delivery.ts';
import { acceptedSecrets, type Webhook, type Webhooks } from './webhook.ts';
import { statusOf, WebhookRejected } from './webhook-rejected.ts';

export type WebhookReceiverOptions = {
  webhooks: Webhooks;
  /**
   * Does the company's work for one event. The platform gets its 200 only when it resolves; when it rejects, the
   * platform parks the event, marks the webhook as bad and sends again ten minutes later (wire 3.3). It waits 10
   * seconds at most, so put long work in a queue. It may see an event twice after a crash: it should be idempotent.
   */
  onEvent: (event: ChangeEvent, delivery: Delivery) => Promise<void> | void;
  /** For webhooks with `encrypt_payload`. */
  accountKey?: AccountKeySource | undefined;
  /** Opens the value in an event with the service key: `(event) => client.openChange(event)` of a `DataClient`. */
  decrypt?: ((event: ChangeEvent) => Promise<Change>) | undefined;
  /** Remembers handled deliveries. Default: the latest 10,000, in memory. `false` passes on every delivery. */
  seen?: SeenDeliveries | false | undefined;
  /** The operator's word in header names. Default `Platform`. */
  headerName?: string | undefined;
  /** Larger bodies are refused. Default 1 MiB. */
  maxBytes?: number | undefined;
  /** Called for every delivery that was not answered with 200. */
  onError?: ((error: unknown) => void) | undefined;
};

/** The facts of a delivery beside its event. */
export type Delivery = Omit<ParsedDelivery, 'event'> & {
  /** `null` when the request names no webhook, which only a receiver for one webhook accepts. */
  webhookId: string | null;
  /** The key that identifies repetitions: `deliveryKey` of the event. */
  key: string;
  /** True for the example that the platform sends when the company tests the webhook. */
  test: boolean;
  /** The event opened and typed, when the receiver was given `decrypt`. */
  change?: Change;
};

/** `body` is JSON text. */
export type WebhookReply = { status: 200 | 400 | 401 | 413 | 500; body: string };

/**
 * Verifies and opens the deliveries of webhooks, passes them to the handler, and says what to answer.
 *
 * @example
 * const receiver = new WebhookReceiver({
 *   webhooks: { authType: 'hmac', secret: process.env.WEBHOOK_SECRET ?? '' },
 *   onEvent: async (event) => queue.push(event),
 * });
 * createServer(nodeHandler(receiver)).listen(8080);
 */
export class WebhookReceiver {
  /** Adapters read no more of a body than this. */
  readonly maxBytes: number;
  readonly #options: WebhookReceiverOptions;
  readonly #accountKey: Promise<CryptoKey> | undefined;
  readonly #seen: SeenDeliveries | undefined;
  readonly #underWay = new Map<string, Promise<void>>();

  /** @throws ConfigurationError `sdk.configuration` for a webhook without secret, `sdk.private_key` */
  constructor(options: WebhookReceiverOptions) {
    for (const webhook of knownWebhooks(options.webhooks)) {
      if (webhook.authType !== 'none') acceptedSecrets(webhook);
    }
    this.#options = options;
    this.maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
    this.#accountKey = options.accountKey && importAccountKey(options.accountKey);
    // The caller that awaits it gets the rejection.
    this.#accountKey?.catch(() => undefined);
    this.#seen = options.seen === false ? undefined : (options.seen ?? new MemorySeenDeliveries());
  }

  /** Never throws. Answer with exactly this status: the platform treats anything but 200 as a failure (wire 6.3). */
  async handle(raw: RawDelivery): Promise<WebhookReply> {
    try {
      const { webhooks, headerName } = this.#options;
      const { maxBytes } = this;
      const { webhookId } = await verifyDelivery(raw, webhooks, { headerName, maxBytes });
      const accountKey = await this.#accountKey;
      const { event, ...parsed } = await parseDelivery(raw.body, { accountKey, maxBytes });
      await this.#handOutOnce(event, {
        ...parsed,
        webhookId,
        key: await deliveryKey(event),
        test: 'test' in event && event.test === true,
      });
      return RECEIVED;
    } catch (error) {
      return this.refuse(error);
    }
  }

  /** The answer to a failed delivery, such as one whose body an adapter could not read. Calls `onError`. */
  refuse(error: unknown): WebhookReply {
    this.#report(error);
    if (!(error instanceof WebhookRejected)) return FAILED;
    return { status: statusOf(error.code), body: JSON.stringify({ error: error.code }) };
  }

  /** The platform stops waiting after 10 seconds and sends again. An event in progress is not started twice. */
  async #handOutOnce(event: ChangeEvent, delivery: Delivery): Promise<void> {
    const seen = this.#seen;
    if (!seen) return this.#handOut(event, delivery);
    const key = `${delivery.webhookId ?? ''}:${delivery.key}`;
    const underWay = this.#underWay.get(key);
    if (underWay) return underWay;
    const work = this.#handOutUnseen(event, delivery, seen, key).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, work);
    return work;
  }

  async #handOutUnseen(
    event: ChangeEvent,
    delivery: Delivery,
    seen: SeenDeliveries,
    key: string,
  ): Promise<void> {
    if (await seen.has(key)) return;
    await this.#handOut(event, delivery);
    try {
      await seen.add(key);
    } catch (error) {
      // The work is done, and an error here would make the platform send it again.
      this.#report(error);
    }
  }

  async #handOut(event: ChangeEvent, delivery: Delivery): Promise<void> {
    const { decrypt, onEvent } = this.#options;
    await onEvent(event, decrypt ? { ...delivery, change: await decrypt(event) } : delivery);
  }

  #report(error: unknown): void {
    try {
      this.#options.onError?.(error);
    } catch {
      // A failing listener must not change the answer.
    }
  }
}

function knownWebhooks(webhooks: Webhooks): Iterable<Webhook> {
  if (typeof webhooks === 'function') return [];
  return 'authType' in webhooks ? [webhooks] : webhooks.values();
}

const RECEIVED: WebhookReply = { status: 200, body: '{"received":true}' };
/** The sender does not learn what failed on this side. */
const FAILED: WebhookReply = { status: 500, body: '{"error":"internal"}' };
