import type { CryptoKey } from '@symbolon/crypto';
import type { RecoveryKeyRequest, WrappedPrivateKey } from '@symbolon/protocol';
import { onDevice } from './device.ts';

interface Found {
  readonly encrypted_private_key: WrappedPrivateKey;
}
type Call = (method: 'POST', path: string, body: RecoveryKeyRequest) => Promise<Found>;

interface Proved {
  /** What the platform takes as a proof of the recovery code. */
  readonly proof: RecoveryKeyRequest;
  readonly wrapped: WrappedPrivateKey;
  /** It opens the private key. */
  readonly wrapKey: CryptoKey;
}

/**
 * Has the platform give the private key of a login as its recovery code wraps it.
 * @param call that for people, or the one for logins of companies
 * @param code in any spelling
 * @throws SymbolonError `crypto.key_invalid`, `account.recovery_invalid`
 */
export async function byRecoveryCode(
  call: Call,
  path: string,
  { email, code }: { email: string; code: string },
): Promise<Proved> {
  const { recoverySecret, wrapKey } = await onDevice('recoverySecret', { code });
  const proof = { email, recovery_secret: recoverySecret };
  const { encrypted_private_key: wrapped } = await call('POST', path, proof);
  return { proof, wrapped, wrapKey };
}
