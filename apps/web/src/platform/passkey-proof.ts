import { startAuthentication } from '@simplewebauthn/browser';
import type { AuthenticationResponseJSON, PresenceOptions } from '@symbolon/protocol';
import type { Proof } from './presence.ts';

export async function passkeyProof(options: PresenceOptions): Promise<Proof> {
  const { nonce, rp_id, credential_ids } = options;
  const credential = await startAuthentication({
    optionsJSON: {
      challenge: nonce,
      rpId: rp_id,
      userVerification: 'required',
      allowCredentials: credential_ids.map((id) => ({ id, type: 'public-key' as const })),
    },
  });
  return { kind: 'passkey', nonce, credential: sendable(credential) as AuthenticationResponseJSON };
}

/** What opens a private key stays here: extension results are not sent. */
export function sendable<T extends object>(credential: T): T {
  return { ...credential, clientExtensionResults: {} };
}
