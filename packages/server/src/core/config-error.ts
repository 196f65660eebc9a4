/** A variable that cannot be used as it stands; the message names it and says what it takes. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
