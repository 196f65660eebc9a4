import { PlatformError } from '../core/errors.ts';

/** The error text of a trigger that refuses a write because the company is frozen while it moves. */
export const FROZEN_TEXT = 'this company is frozen';
/** The SQLSTATE of that error on PostgreSQL, in a class of our own. */
export const FROZEN_CODE = 'SY503';

/** Seconds after which a refused call may be repeated (wire 7). */
const RETRY_AFTER = '30';

/** Turns the refusal of such a trigger into `db.writes_paused`; other errors stay as they are. */
export function toPlatformError(error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string };
  const frozen = code === FROZEN_CODE || (code === 'ERR_SQLITE_ERROR' && message === FROZEN_TEXT);
  return frozen ? writesPaused(error) : error;
}

/** Nothing was written; the same call may be repeated later (wire 7). */
export function writesPaused(cause?: unknown): PlatformError {
  return new PlatformError('db.writes_paused', { headers: { 'retry-after': RETRY_AFTER }, cause });
}
