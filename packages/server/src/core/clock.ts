/** The time, as a port: tests use a fake. Integer milliseconds since 1970. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** The wire's form of a time: ISO 8601, UTC, milliseconds. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** The day of a moment, `YYYY-MM-DD`: days begin and end in UTC. */
export const dayOf = (ms: number): string => isoTime(ms).slice(0, 10);
