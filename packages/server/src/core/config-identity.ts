import { ConfigError } from './config-error.ts';
import { isLoopbackHost } from './ip-address.ts';
import type { variablesOf } from './read-variables.ts';

/** Who verifies identity documents. */
export interface IdentityProviderConfig {
  /** Documents are posted here. */
  readonly url: string;
  /** Signs in both directions. */
  readonly secret: string;
  /** What attestations call it. */
  readonly name: string;
}

/** @throws {ConfigError}, which does not repeat the secret */
export function readIdentityProvider({
  optional,
  matching,
  url,
}: ReturnType<typeof variablesOf>): IdentityProviderConfig | undefined {
  const address = url('SYMBOLON_IDENTITY_URL', ['https:', 'http:']);
  const secret = optional('SYMBOLON_IDENTITY_SECRET');
  const name = matching(
    'SYMBOLON_IDENTITY_NAME',
    /^[a-z0-9][a-z0-9_.-]{0,39}$/,
    '1 to 40 characters of a-z, 0-9, _, . and -',
  );
  if (address === undefined) return undefined;
  const { protocol, host } = new URL(address);
  if (protocol === 'http:' && !isLoopbackHost(host))
    throw new ConfigError('SYMBOLON_IDENTITY_URL takes an https:// address; http:// only on this machine.');
  if (secret === undefined || !/^[!-~]{32,512}$/.test(secret))
    throw new ConfigError(
      'SYMBOLON_IDENTITY_SECRET takes at least 32 visible ASCII characters, such as openssl rand -hex 32 makes.',
    );
  return { url: address, secret, name };
}
