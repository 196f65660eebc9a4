import { PlatformError } from '../core/errors.ts';

/** What a trigger says that refuses a write because the company is about to leave for another region. */
export const HELD_TEXT = 'this company is held';
/** PostgreSQL: the state of that error, of a class of ours. */
export const HELD_CODE = 'SY503';

/** Seconds after which a refused call may be repeated (wire 7). */
const RETRY_AFTER = '30';

/** What a failed write is to its caller: one that a hold refused is a write that is paused, nothing was written. */
export function explained(error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string };
  const held = code === HELD_CODE || (code === 'ERR_SQLITE_ERROR' && message === HELD_TEXT);
  return held ? writesPaused(error) : error;
}

/** Nothing was written; the same call may be repeated after a while (wire 7). */
export function writesPaused(cause?: unknown): PlatformError {
  return new PlatformError('db.writes_paused', { headers: { 'retry-after': RETRY_AFTER }, cause });
}
