import type { ErrorKey } from '@symbolon/protocol';
import { clearsIn, type PlatformError } from '../core/errors.ts';

/** OAuth error codes: on the token route `error` is the code itself (RFC 6749 5.2). */
const OAUTH_KEYS: ReadonlySet<string> = new Set<ErrorKey>([
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_request',
]);

/**
 * The body of an error's answer (wire 7).
 * @param base the address of the platform, before the page of the key; empty as long as it is not known
 * @param oauth whether `error` is an OAuth code, whatever the error is
 */
export function errorBody(error: PlatformError, base: string, oauth = false): Record<string, unknown> {
  const { key, message } = error;
  const details = { ...waitOf(error), ...error.details };
  const docs = `${base}/errors#${key}`;
  if (OAUTH_KEYS.has(key)) return { error: key, error_key: key, error_description: message, docs };
  if (oauth) return { error: oauthCode(error), error_key: key, error_description: message, docs, ...details };
  return { error: message, error_key: key, docs, ...details };
}

/** What the header says, for whoever keeps the body alone. */
function waitOf({ headers }: PlatformError): Record<string, unknown> {
  const seconds = headers['retry-after'] ?? '';
  return /^\d{1,9}$/.test(seconds) ? clearsIn(Number(seconds) * 1000) : {};
}

function oauthCode({ key, status }: PlatformError): string {
  if (key === 'oauth.access_denied') return 'access_denied';
  if (status === 429 || status === 503) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
}
