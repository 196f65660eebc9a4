import type { ErrorKey } from '@symbolon/protocol';
import type { PlatformError } from '../core/errors.ts';

/** OAuth error codes: on the token route `error` is the code itself (RFC 6749 5.2). */
const OAUTH_KEYS: ReadonlySet<string> = new Set<ErrorKey>([
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_request',
]);

/** The body of an error's answer (wire 7). */
export function errorBody(error: PlatformError): Record<string, unknown> {
  return OAUTH_KEYS.has(error.key)
    ? { error: error.key, error_key: error.key, error_description: error.message }
    : { error: error.message, error_key: error.key, ...error.details };
}
