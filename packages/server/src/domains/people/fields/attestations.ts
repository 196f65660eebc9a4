import type { PersonField } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import type { Flag } from '../../../db/tables.ts';

/** The wire's members of an attestation, as they are stored (wire 2.5). */
export type Attestation = Pick<
  PersonField,
  | 'verified_hash'
  | 'verified_salt'
  | 'verified_at'
  | 'verified_expires_at'
  | 'verified_method'
  | 'verified_provider'
  | 'verification_id'
>;

/** What a request row says about the age of an attestation. */
interface AgeRule {
  readonly verified: Flag;
  readonly verified_max_age_days: number | null;
}

/** What a field has without an attestation. */
export const NO_ATTESTATION = { verification: null, verified_name: null } as const;

const DAY_MS = 24 * 60 * 60 * 1000;

export function readAttestation(stored: string | null): Attestation | undefined {
  return stored === null ? undefined : (JSON.parse(stored) as Attestation);
}

/**
 * The attestation of an answer to a row: the field's, which ends no later than the row's greatest age allows.
 * @param stored the field's attestation
 */
export function slotAttestation(row: AgeRule, stored: string | null): string | null {
  const attestation = readAttestation(stored);
  const expiresAt = attestation && expiryOf(row, attestation);
  if (attestation === undefined || expiresAt === undefined) return stored;
  return JSON.stringify({ ...attestation, verified_expires_at: isoTime(expiresAt) });
}

/** Whether an attestation stands at a moment, for a row with its greatest age. */
export function stands(row: AgeRule, stored: string | null, now: number): boolean {
  const attestation = readAttestation(stored);
  if (attestation?.verified_at === undefined) return false;
  const expiresAt = expiryOf(row, attestation);
  return expiresAt === undefined || expiresAt > now;
}

/** The earlier of the attestation's own end and the row's greatest age; undefined when neither ends it. */
function expiryOf(row: AgeRule, attestation: Attestation): number | undefined {
  const ends: number[] = [];
  if (attestation.verified_expires_at !== undefined) ends.push(Date.parse(attestation.verified_expires_at));
  if (row.verified === 1 && row.verified_max_age_days !== null && attestation.verified_at !== undefined) {
    ends.push(Date.parse(attestation.verified_at) + row.verified_max_age_days * DAY_MS);
  }
  return ends.length === 0 ? undefined : Math.min(...ends);
}
