import { type ErrorKey, errorCatalogue } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { type PeerAnswer, regionUnavailable } from './peers.ts';

/** The other region's refusal as an error of this one. */
export function refusalOf(answer: PeerAnswer): PlatformError {
  let body: { error_key?: unknown; error_description?: unknown; error?: unknown } = {};
  try {
    body = JSON.parse(answer.bytes.toString()) as typeof body;
  } catch {}
  const key = body.error_key;
  if (typeof key !== 'string' || !Object.hasOwn(errorCatalogue, key)) {
    return regionUnavailable(new Error(`status ${answer.status}`));
  }
  const text = body.error_description ?? body.error;
  const headers: Record<string, string> = {};
  for (const name of ['www-authenticate', 'retry-after']) {
    const value = answer.headers[name];
    if (value !== undefined) headers[name] = value;
  }
  return new PlatformError(key as ErrorKey, { headers, ...(typeof text === 'string' ? { text } : {}) });
}
