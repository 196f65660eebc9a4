import type { KeyObject } from 'node:crypto';
import { matchesAttestationSync, openTextSync } from '@symbolon/crypto/node';
import type { UserInfo } from '@symbolon/protocol';
import { DecryptionError } from '../http/errors.ts';

/** What the platform attests of a claim. */
export type ClaimAttestation = {
  verifiedAt: string;
  expiresAt: string | undefined;
  method: string | undefined;
  provider: string | undefined;
  verificationId: string | undefined;
};

export type SignInClaim = {
  /** Undefined without a private key. */
  value: string | undefined;
  /** Only when it is over exactly this value and stands now. */
  verified: ClaimAttestation | undefined;
};

type Attested = {
  hash: string;
  salt: string;
  verified_at: string;
  verified_expires_at: string | null;
  verified_method?: string;
  verified_provider?: string;
  verification_id?: string;
};

/**
 * Opens what a person approved, and compares it with what the platform attests.
 *
 * @throws DecryptionError `sdk.claim_unreadable`, with the claim's name in its details
 */
export function openClaims(
  info: Pick<UserInfo, 'values' | 'values_attestation'>,
  key: KeyObject | undefined,
  now: number,
): Record<string, SignInClaim> {
  const claims: Record<string, SignInClaim> = Object.create(null);
  for (const [name, wrapper] of Object.entries(info.values ?? {})) {
    const value = key === undefined ? undefined : opened(name, wrapper, key);
    const sealed = info.values_attestation?.[name];
    const attested =
      key === undefined || sealed === undefined
        ? undefined
        : (JSON.parse(opened(name, sealed, key)) as Attested);
    claims[name] = { value, verified: attestationOf(value, attested, now) };
  }
  return claims;
}

function attestationOf(
  value: string | undefined,
  attested: Attested | undefined,
  now: number,
): ClaimAttestation | undefined {
  if (value === undefined || attested === undefined) return undefined;
  if (!matchesAttestationSync(value, attested.salt, attested.hash)) return undefined;
  const expiresAt = attested.verified_expires_at ?? undefined;
  if (expiresAt !== undefined && Date.parse(expiresAt) <= now) return undefined;
  return {
    verifiedAt: attested.verified_at,
    expiresAt,
    method: attested.verified_method,
    provider: attested.verified_provider,
    verificationId: attested.verification_id,
  };
}

function opened(name: string, wrapper: Parameters<typeof openTextSync>[0], key: KeyObject): string {
  try {
    return openTextSync(wrapper, key);
  } catch (cause) {
    const message = 'A claim cannot be opened with the private key of the app.';
    throw new DecryptionError({ errorKey: 'sdk.claim_unreadable', message, details: { claim: name }, cause });
  }
}
