import { createAttestation, matchesAttestation } from '@symbolon/crypto';
import type { Reader } from '../../../db/database.ts';
import { readAttestation, stands } from './attestations.ts';
import { verifiedNamesOf } from './store.ts';

/** A name as it is given. */
export interface GivenName {
  readonly first_name: string;
  readonly last_name: string;
}

/** The name on a verified document, salted and hashed, as it is stored beside the attestation of that document. */
interface VerifiedName {
  readonly verification_id: string;
  readonly salt: string;
  readonly hash: string;
}

/** Without a request row, only the attestation's own end counts. */
const ANY_AGE = { verified: 0, verified_max_age_days: null } as const;

/** The stored form of the name on a document. */
export async function verifiedName(name: GivenName, verificationId: string): Promise<string> {
  const { verified_salt: salt, verified_hash: hash } = await createAttestation(normalizeName(name));
  return JSON.stringify({ verification_id: verificationId, salt, hash } satisfies VerifiedName);
}

/**
 * Whether an identity document of the person, whose verification stands at a moment, names them so. True in every region:
 * replicas of fields have it too.
 */
export async function nameIsVerified(
  reader: Reader,
  personId: string,
  { name, now }: { name: GivenName; now: number },
): Promise<boolean> {
  const given = normalizeName(name);
  for (const { verification, verified_name } of await verifiedNamesOf(reader, personId)) {
    if (!stands(ANY_AGE, verification, now)) continue;
    const { verification_id, salt, hash } = JSON.parse(verified_name) as VerifiedName;
    if (readAttestation(verification)?.verification_id !== verification_id) continue;
    if (await matchesAttestation(given, salt, hash)) return true;
  }
  return false;
}

/**
 * One text for all ways to write a name: NFKC, case folded, single spaces. First and last name stay apart, on two lines:
 * Anna Maria Lee whose last name is "Lee" is not the one whose last name is "Maria Lee".
 */
export function normalizeName({ first_name, last_name }: GivenName): string {
  return `${normalized(first_name)}\n${normalized(last_name)}`;
}

/** Lower, upper, lower: capital ẞ has no upper case but itself, so it becomes ß first; the upper case of ß is SS. */
function normalized(text: string): string {
  const folded = text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
  return folded.replace(/\s+/gu, ' ').trim();
}
