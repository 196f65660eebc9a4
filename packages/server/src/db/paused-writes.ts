import type { ErrorKey } from '@symbolon/protocol';
import { PlatformError } from '../core/errors.ts';
import { outageOf } from './engine-errors.ts';

/** The error text of a trigger that refuses a write because the company is frozen while it moves. */
export const FROZEN_TEXT = 'this company is frozen';
/** The SQLSTATE of that error on PostgreSQL, in a class of our own. */
export const FROZEN_CODE = 'SY503';

/** Seconds after which a refused call may be repeated (wire 7). */
const RETRY_AFTER = '30';

/**
 * What a transaction that failed is refused with: `db.writes_paused` when a trigger refused it because its company is
 * frozen, or when the database cannot save at the moment; `service.busy` when others held for too long what it needs. Other
 * errors stay as they are.
 */
export function toPlatformError(error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string };
  const frozen = code === FROZEN_CODE || (code === 'ERR_SQLITE_ERROR' && message === FROZEN_TEXT);
  if (frozen) return writesPaused(error);
  const outage = outageOf(error);
  if (outage === undefined) return error;
  return outage === 'busy' ? serviceBusy(error) : writesPaused(error);
}

/** Seconds after which a read that the database did not answer may be repeated. */
const READ_AGAIN = '5';

/** Seconds after which a call that would have waited too long for others may be repeated. */
const BUSY_AGAIN = '1';

/** The refusal of a call whose reads failed for an outage of the database; undefined for any other error. */
export function unavailable(error: unknown, key: ErrorKey = 'db.unavailable'): PlatformError | undefined {
  if (outageOf(error) === undefined) return undefined;
  return new PlatformError(key, { headers: { 'retry-after': READ_AGAIN }, cause: error });
}

/** Others change the same service, company or person, and it would take too long to wait; nothing was written (wire 7.2). */
export function serviceBusy(cause?: unknown): PlatformError {
  return new PlatformError('service.busy', { headers: { 'retry-after': BUSY_AGAIN }, cause });
}

/** The same for an act that has to wait until an earlier one on its service was carried out. */
export function behindEarlierAct(retryAfterSeconds: number, text: string): PlatformError {
  return new PlatformError('service.busy', { headers: { 'retry-after': String(retryAfterSeconds) }, text });
}

/** Nothing was written; the same call may be repeated later (wire 7). */
export function writesPaused(cause?: unknown): PlatformError {
  return new PlatformError('db.writes_paused', { headers: { 'retry-after': RETRY_AFTER }, cause });
}

/** Whether something was refused because it cannot be saved now, or others hold what it needs: this ends by itself. */
export function isWritesPaused(error: unknown): boolean {
  return error instanceof PlatformError && (error.key === 'db.writes_paused' || error.key === 'service.busy');
}
