import { createSecretKey, type KeyObject } from 'node:crypto';
import type { UpdateWebhookRequest, WebhookAuthType } from '@symbolon/protocol';
import { clearsIn, PlatformError } from '../../../core/errors.ts';
import { isMasked } from '../../../core/mask.ts';
import type { Secrets } from '../../../core/secrets.ts';
import type { WebhookRow } from './tables.ts';

/** The members that hold a webhook's secrets, stored verbatim and shown masked (wire 2.8). */
export const SECRET_MEMBERS = [
  'hmac_secret',
  'auth_token',
  'auth_username',
  'auth_password',
  'auth_header_name',
  'auth_header_value',
] as const;
type SecretMember = (typeof SECRET_MEMBERS)[number];
export type WebhookSecrets = Record<SecretMember, string | null> & { readonly previous?: PreviousSecret };

/** The HMAC secret before the present one. Until its end it makes the signature that receivers know. */
export interface PreviousSecret {
  readonly hmac_secret: string;
  readonly until: number;
}

/** What each mode cannot do without; the HMAC secret is made where none is sent. */
const NEEDS: Readonly<Record<WebhookAuthType, readonly SecretMember[]>> = {
  hmac: [],
  bearer: ['auth_token'],
  basic: ['auth_username', 'auth_password'],
  header: ['auth_header_name', 'auth_header_value'],
  none: [],
};
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;
/** Header values: visible ASCII, with spaces inside (RFC 9110 5.5). */
const HEADER_VALUE = /^[!-~](?:[ -~]*[!-~])?$/;
/** Headers that are the platform's own, or would change what is sent. */
const RESERVED_HEADERS = new Set([
  'host',
  'content-length',
  'content-type',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'user-agent',
  'proxy-authorization',
  'proxy-connection',
]);

/**
 * What a webhook has before a change. Nothing of it but the HMAC secret goes with it to another origin: that one is never
 * sent, the others are, and people who may change the address see them only masked.
 */
export interface PresentSecrets {
  readonly secrets: WebhookSecrets;
  readonly sameOrigin: boolean;
}

/**
 * The secrets after a request: one that is left out, or comes back masked, is kept; null and the empty text clear it. A previous
 * HMAC secret stays as long as the present one does.
 * @throws {PlatformError} services.webhook_auth_invalid when the mode lacks what it needs,
 *   services.webhook_secret_required when the mode has it and it does not go to another origin
 */
export function mergeSecrets(
  request: Pick<UpdateWebhookRequest, SecretMember>,
  mode: WebhookAuthType,
  present: PresentSecrets | undefined,
  headerName: string,
): WebhookSecrets {
  const left: SecretMember[] = [];
  const merged = Object.fromEntries(
    SECRET_MEMBERS.map((member) => {
      const sent = request[member];
      if (sent !== undefined && !isMasked(sent)) {
        return [member, sent === '' ? null : sent];
      }
      const kept = present?.secrets[member] ?? null;
      if (present?.sameOrigin !== false || member === 'hmac_secret' || kept === null) return [member, kept];
      left.push(member);
      return [member, null];
    }),
  ) as Record<SecretMember, string | null>;
  const missing = NEEDS[mode].filter((member) => left.includes(member));
  if (missing.length > 0)
    throw new PlatformError('services.webhook_secret_required', { details: { missing } });
  checkSecrets(merged, mode, headerName);
  const { previous, hmac_secret: before } = present?.secrets ?? {};
  const overlaps = previous !== undefined && mode === 'hmac' && merged.hmac_secret === before;
  return overlaps ? { ...merged, previous } : merged;
}

/**
 * The secrets with another HMAC secret.
 * @param until until when the present one signs as well; undefined: not any more
 * @throws {PlatformError} services.webhook_auth_invalid for another mode, and for a secret as it is shown;
 *   services.webhook_secret_overlaps
 */
export function renewSecret(
  { previous, ...present }: WebhookSecrets,
  mode: WebhookAuthType,
  secret: string,
  { now, until }: { now: number; until: number | undefined },
): WebhookSecrets {
  if (mode !== 'hmac') throw invalid(`auth_type is ${mode}: there is no HMAC secret.`);
  if (isMasked(secret)) throw invalid('hmac_secret is the masked text of a secret.');
  const renewed = { ...present, hmac_secret: secret };
  if (until === undefined || present.hmac_secret === null) return renewed;
  if (previous !== undefined && previous.until > now)
    throw new PlatformError('services.webhook_secret_overlaps', { details: clearsIn(previous.until - now) });
  return { ...renewed, previous: { hmac_secret: present.hmac_secret, until } };
}

/** @throws {PlatformError} services.webhook_auth_invalid */
function checkSecrets(merged: WebhookSecrets, mode: WebhookAuthType, headerName: string): void {
  for (const member of NEEDS[mode]) {
    if (merged[member] === null) throw invalid(`${member} is needed for auth_type ${mode}.`);
  }
  if (mode === 'bearer' && !HEADER_VALUE.test(merged.auth_token ?? '')) {
    throw invalid('auth_token takes visible ASCII characters.');
  }
  if (mode === 'basic' && (merged.auth_username?.includes(':') ?? false)) {
    throw invalid('auth_username must not contain a colon (RFC 7617).');
  }
  if (mode === 'header') {
    const name = (merged.auth_header_name ?? '').toLowerCase();
    const own = name.startsWith(`x-${headerName.toLowerCase()}-`);
    if (!HEADER_NAME.test(name) || RESERVED_HEADERS.has(name) || own) {
      throw invalid('auth_header_name is not a header name that may be set.');
    }
    if (!HEADER_VALUE.test(merged.auth_header_value ?? '')) {
      throw invalid('auth_header_value takes visible ASCII characters and spaces inside.');
    }
  }
}

/** The key of a webhook's row. */
export type WebhookKey = Pick<WebhookRow, 'company_id' | 'service_id' | 'id'>;

const placeOf = (row: WebhookKey) => ({
  table: 'webhooks',
  column: 'secrets',
  id: [row.company_id, row.service_id, row.id],
});

export function encryptSecrets(secrets: Secrets, key: WebhookKey, values: WebhookSecrets): string {
  return secrets.encrypt(Buffer.from(JSON.stringify(values)), placeOf(key));
}

export function decryptSecrets(
  secrets: Secrets,
  row: WebhookKey & Pick<WebhookRow, 'secrets'>,
): WebhookSecrets {
  return JSON.parse(secrets.decrypt(row.secrets, placeOf(row)).toString()) as WebhookSecrets;
}

/** An HMAC key from the secret's text, ready for many uses. */
export function hmacKey(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret, 'utf8'));
}

function invalid(text: string): PlatformError {
  return new PlatformError('services.webhook_auth_invalid', { text });
}
