import { CryptoError, openAccountEnvelope, type Wrapper } from '@symbolon/crypto';
import type { ChangeEvent, EventName } from '@symbolon/protocol';
import { type AccountKeySource, importAccountKey } from './account-key.ts';
import { readJson } from './read-json.ts';
import { readXml } from './read-xml.ts';
import { checkBody } from './verify-delivery.ts';
import { WebhookRejected } from './webhook-rejected.ts';

export type ParseOptions = {
  /** Opens bodies of webhooks with `encrypt_payload`. For many bodies, import it once with `importAccountKey`. */
  accountKey?: AccountKeySource | undefined;
  /** Default 1 MiB. */
  maxBytes?: number | undefined;
};

export type ParsedDelivery = {
  /** The same object for JSON and XML. Its values are still sealed to the service key. */
  event: ChangeEvent;
  format: 'json' | 'xml';
  /** Whether the body came in the account-key envelope. */
  enveloped: boolean;
};

/**
 * Reads the body of a delivery that {@link verifyDelivery} accepted. The bytes decide the format, because they are signed
 * and the content type is not.
 *
 * XML has only text, and null members are absent. Known booleans become booleans and known null members become null;
 * members that this library does not know stay text.
 *
 * @throws WebhookRejected `too_large`, `body_malformed`, `envelope_unreadable`; ConfigurationError for a key that cannot
 * be used
 */
export async function parseDelivery(body: Uint8Array, options: ParseOptions = {}): Promise<ParsedDelivery> {
  checkBody(body, options.maxBytes);
  const outer = read(body);
  if (outer.format === 'xml' || !Object.hasOwn(outer.members, '_enc'))
    return { ...asEvent(outer), enveloped: false };
  const inner = read(await openEnvelope(outer.members, options.accountKey));
  return { ...asEvent(inner), enveloped: true };
}

async function openEnvelope(wrapper: Members, accountKey: AccountKeySource | undefined): Promise<Uint8Array> {
  if (!accountKey) throw new WebhookRejected('envelope_unreadable');
  const key = await importAccountKey(accountKey);
  try {
    return await openAccountEnvelope(wrapper as Wrapper, key);
  } catch (error) {
    if (error instanceof CryptoError) throw new WebhookRejected('envelope_unreadable');
    throw error;
  }
}

function read(body: Uint8Array): { format: 'json' | 'xml'; members: Members } {
  const text = decodeUtf8(body)?.trimStart();
  const format = text?.startsWith('<') ? 'xml' : 'json';
  const members = text && (format === 'xml' ? readXml(text, DEPTH_MOST) : readJson(text, DEPTH_MOST));
  if (!isObject(members)) throw new WebhookRejected('body_malformed');
  return { format, members };
}

function asEvent({ format, members }: { format: 'json' | 'xml'; members: Members }): {
  event: ChangeEvent;
  format: 'json' | 'xml';
} {
  const event = format === 'xml' ? asJsonHasIt(members) : members;
  const isEvent =
    typeof event.event === 'string' &&
    event.event !== '' &&
    TEXTS.every((name) => event[name] == null || typeof event[name] === 'string');
  if (!isEvent) throw new WebhookRejected('body_malformed');
  return { event: event as ChangeEvent, format };
}

function asJsonHasIt(members: Members): Members {
  const event = { ...members };
  const nullable = event.event === STATUS_CHANGED ? [...NULLABLE, ...NULLABLE_OF_STATUS] : NULLABLE;
  for (const name of nullable) event[name] ??= null;
  for (const name of BOOLEANS) {
    const text = event[name];
    if (text === undefined || text === null) continue;
    if (text !== 'true' && text !== 'false') throw new WebhookRejected('body_malformed');
    event[name] = text === 'true';
  }
  return event;
}

function decodeUtf8(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Members = Record<string, unknown>;

const DEPTH_MOST = 32;
/** The members that identify what an event is about. */
const TEXTS = ['id', 'person_user_id', 'share_code', 'at', 'slug', 'document_id', 'request_id'];
const BOOLEANS = ['live', 'signer_name_verified', 'test'];
/** Members that are null when they have no value (wire 6.2). */
const NULLABLE = ['share_code'];
const STATUS_CHANGED: EventName = 'document_status_changed';
const NULLABLE_OF_STATUS = [
  'action',
  'method',
  'content_sha256',
  'signed_at',
  'cancel_effective_date',
  'sealed_at',
  'plain_sha256',
  'signer_first_name',
  'signer_last_name',
  'signer_name_verified',
  'note',
];
