import { ConfigurationError } from '../http/errors.ts';

/**
 * What `SYMBOLON_URL`, `SYMBOLON_ACCOUNT_CLIENT_ID`, `SYMBOLON_ACCOUNT_CLIENT_SECRET` and
 * `SYMBOLON_RECOVERY_KEY_FINGERPRINT` say; the last one may be absent. The names differ from those
 * of a data client because one program may be both.
 *
 * @throws ConfigurationError whose `details.missing` names what is not set
 */
export function accountCredentials(env: Record<string, string | undefined>) {
  const url = env.SYMBOLON_URL;
  const clientId = env.SYMBOLON_ACCOUNT_CLIENT_ID;
  const clientSecret = env.SYMBOLON_ACCOUNT_CLIENT_SECRET;
  const recoveryKeyFingerprint = env.SYMBOLON_RECOVERY_KEY_FINGERPRINT || undefined;
  if (url && clientId && clientSecret) return { url, clientId, clientSecret, recoveryKeyFingerprint };
  const missing = VARIABLES.filter((name) => !env[name]);
  const message = `Missing: ${missing.join(', ')}.`;
  throw new ConfigurationError({ errorKey: 'sdk.configuration', message, details: { missing } });
}

const VARIABLES = ['SYMBOLON_URL', 'SYMBOLON_ACCOUNT_CLIENT_ID', 'SYMBOLON_ACCOUNT_CLIENT_SECRET'];
