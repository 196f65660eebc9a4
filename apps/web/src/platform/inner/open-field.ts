import { type CryptoKey, matchesAttestation, openText } from '@symbolon/crypto';
import type { PersonField, PersonFile } from '@symbolon/protocol';

/** A field of the person, opened here. */
export type OpenField = {
  id: string;
  type: string;
  label: string;
  slug: string;
  /** Null when it is empty, a file, or this key does not open it. */
  text: string | null;
  /** What it answers is marked as private in flows. */
  isPrivate: boolean;
  /** Of a file type, once it has a file. */
  file: PersonFile | undefined;
  /** When what is in it was verified, and until when that stands; undefined when it does not. */
  verifiedAt: number | undefined;
  /** When it was changed the last time. */
  updatedAt: number;
};

/** Opens fields as they are stored. */
export const openAll = (fields: readonly PersonField[], key: CryptoKey): Promise<OpenField[]> =>
  Promise.all(fields.map((field) => openField(field, key)));

async function openField(field: PersonField, key: CryptoKey): Promise<OpenField> {
  const { id, type, label, slug, value, file, verified_salt: salt, verified_hash: hash } = field;
  const text = value === null ? null : await openText(value, key).catch(() => null);
  const until = field.verified_expires_at ?? null;
  // A file is not fetched for this: the platform checks what it says of one when it is shared.
  const isAttested =
    file !== undefined || (text !== null && !!salt && !!hash && (await matchesAttestation(text, salt, hash)));
  const stands = isAttested && (until === null || Date.parse(until) > Date.now());
  const at = field.verified_at ?? undefined;
  const verifiedAt = stands && at ? Date.parse(at) : undefined;
  return {
    id,
    type,
    label,
    slug,
    text,
    isPrivate: field.private,
    file,
    verifiedAt,
    updatedAt: Date.parse(field.updated_at),
  };
}
