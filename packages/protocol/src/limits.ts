/** Fixed limits of the wire. Tunable ones have their defaults here and their variables in the server's configuration. */
export const limits = {
  /** Seconds an access token lives (spec 8). */
  accessTokenSeconds: 3600,
  /** Undrained change rows live this long (spec 6.2). */
  changeRetentionMs: 7 * 24 * 60 * 60 * 1000,
  jsonBodyBytes: 1024 * 1024,
  jsonBodyDepth: 32,
  pageDefault: 100,
  pageMost: 500,
  keysBatchMost: 200,
  requestFieldsMost: 200,
  personFieldsMost: 1000,
  /** Webhooks of a service (wire contract, chosen limits). */
  webhooksMost: 20,
  /** A parked event lives this long (spec 6.5). */
  webhookRetentionMs: 7 * 24 * 60 * 60 * 1000,
  serviceShareCode: '^[A-Z0-9]{1,8}$',
  slug: '^[a-z][a-z0-9_]{0,39}$',
  /** A wrapper of a value: the ciphertext of an inline value, in base64 characters. */
  wrapperTextMost: 262_144,
} as const;

/** Requests a minute for each class of route (wire contract, chosen limits). */
export const defaultRateLimits = {
  token: 60,
  changes: 600,
  reference: 120,
  connections: 60,
  default: 300,
} as const;
export type RateLimitClass = keyof typeof defaultRateLimits;
