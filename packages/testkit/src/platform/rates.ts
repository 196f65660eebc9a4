import { defaultRateLimits } from '@symbolon/protocol';
import type { Config } from '../../../server/src/core/config.ts';

const CLASSES = Object.keys(defaultRateLimits);

/** No class of requests is limited. */
export const UNLIMITED_RATES = Object.fromEntries(CLASSES.map((name) => [name, 0])) as Config['rateLimits'];

/** The variables that limit each class of requests to so many a minute. */
export const ratesOf = (most: number): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...CLASSES, 'unknown_codes'].map((name) => [`SYMBOLON_RATE_${name.toUpperCase()}`, String(most)]),
  );

/** Unless a test sets them, limits are off and accounts are registered in one call. */
export const UNLIMITED: Readonly<Record<string, string>> = {
  ...ratesOf(0),
  SYMBOLON_CONNECTIONS_PER_ADDRESS: '0',
  SYMBOLON_DANGEROUSLY_REGISTER_WITHOUT_CODE: 'true',
};
