import type { CompanyValue } from '@symbolon/protocol';
import { isoTime } from '../core/clock.ts';
import { goneFile, isFileText, storedFile } from '../core/stored-file.ts';
import type { Tables } from '../db/tables.ts';

/** What a slot holds, as its company reads it: the source field never shows (wire 6.2 rule 4). */
export type Answer = Pick<
  Tables['slot_values'],
  'connection_id' | 'request_field_id' | 'live' | 'value' | 'verification' | 'updated_at'
>;

/** The wire's members of an attestation; all absent when there is none. */
export type Attestation = Pick<
  CompanyValue,
  | 'verified_hash'
  | 'verified_salt'
  | 'verified_at'
  | 'verified_expires_at'
  | 'verified_method'
  | 'verified_provider'
  | 'verification_id'
>;

const NONE: Attestation = Object.freeze({});

/** An entry of a `values` map. */
export function companyValue(answer: Answer): CompanyValue {
  const at = isoTime(answer.updated_at);
  const live = answer.live === 1;
  const { value } = answer;
  const entry: CompanyValue =
    value === null || isFileText(value)
      ? { ...contentOf(answer), live, updatedAt: at, updated_at: at, ...expiryOf(answer) }
      : { value, live, updatedAt: at, updated_at: at };
  return answer.verification === null ? entry : Object.assign(entry, attestation(answer.verification));
}

/** Its value, or where its file is. */
export function contentOf(
  answer: Pick<Answer, 'connection_id' | 'request_field_id' | 'value'>,
): Pick<CompanyValue, 'value' | 'value_url' | 'content_sha256'> {
  const { value } = answer;
  if (value !== null && !isFileText(value)) return { value };
  const sha256 = storedFile(value)?.hash ?? goneFile(value)?.sha256;
  return { value_url: fileUrl(answer), ...(sha256 === undefined ? {} : { content_sha256: sha256 }) };
}

function expiryOf({ value }: Pick<Answer, 'value'>): Pick<CompanyValue, 'expired' | 'expired_at'> {
  const gone = goneFile(value);
  return gone === undefined ? {} : { expired: true, expired_at: isoTime(gone.at) };
}

/** Where the binary answer of a slot is served (wire 4.3): answers without an inline value are files. */
function fileUrl(slot: { connection_id: string; request_field_id: string }): string {
  return `/api/company-data/connections/${slot.connection_id}/slots/${slot.request_field_id}/file`;
}

/** Reads a stored attestation. The last three members come together or not at all. */
export function attestation(stored: string | null): Attestation {
  if (stored === null) return NONE;
  const all = JSON.parse(stored) as Attestation;
  const { verified_method, verified_provider, verification_id } = all;
  const members: Attestation = {};
  for (const name of ['verified_hash', 'verified_salt', 'verified_at', 'verified_expires_at'] as const) {
    if (all[name]) members[name] = all[name];
  }
  return verified_method && verified_provider && verification_id
    ? Object.assign(members, { verified_method, verified_provider, verification_id })
    : members;
}
