import type { PresenceProof, ProofRequest } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';

/** The members of a request that prove who is present. */
type Given = { readonly [Member in keyof ProofRequest]?: ProofRequest[Member] | undefined };

/** @throws {PlatformError} account.key_invalid when there is neither a login secret nor a passkey's answer */
export function proofOf(given: Given): PresenceProof {
  const { login_secret, passkey, code, recovery_code, mailed_code } = given;
  if (passkey !== undefined) return { kind: 'passkey', ...passkey };
  if (login_secret === undefined) throw new PlatformError('account.key_invalid');
  return {
    kind: 'password',
    login_secret,
    ...(code === undefined ? {} : { code }),
    ...(recovery_code === undefined ? {} : { recovery_code }),
    ...(mailed_code === undefined ? {} : { mailed_code }),
  };
}
