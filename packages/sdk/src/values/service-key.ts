import { fingerprint } from '@symbolon/crypto';
import { TransportError } from '../http/errors.ts';

/**
 * Checks that a service's key has the fingerprint that is shown, before anything is sealed to it.
 *
 * @throws TransportError `sdk.key_mismatch`
 */
export async function checkServiceKey(service: {
  public_key: string;
  public_key_sha256: string;
}): Promise<void> {
  if ((await fingerprint(service.public_key)) === service.public_key_sha256) return;
  const message = "The service's public key does not have the fingerprint that is shown for it.";
  throw new TransportError({ errorKey: 'sdk.key_mismatch', message });
}
