import type { CryptoKey } from '@symbolon/crypto';
import { matchesAttestation, openText } from '@symbolon/crypto';
import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { PersonFieldList, PersonFile, PersonField as WireField } from '@symbolon/protocol';
import type { Api } from '../http/api.ts';
import { type TypedValue, typedValue } from '../values/typed-value.ts';

/** A field of the person, opened. */
export type Field = {
  id: string;
  type: string;
  label: string;
  slug: string;
  private: boolean;
  usertype: WireField['usertype'];
  /** In the shape of its type; null when empty or unreadable. */
  value: TypedValue | null;
  /** Of a file type, once it has a file: see `PersonFiles.open`. */
  file: PersonFile | null;
  /** The plaintext itself. */
  text: string | null;
  unreadable: boolean;
  verified: boolean;
  verifiedAt: string | null;
  verifiedExpiresAt: string | null;
  verifiedMethod: string | null;
  createdAt: string;
  updatedAt: string;
};

/** Opens a field with the person's key. A value the key does not open is `unreadable`; nothing is thrown. */
export async function openField(
  wire: WireField,
  key: CryptoKey,
  registry: FieldTypeRegistry,
  now: number,
): Promise<Field> {
  const text = wire.value === null ? null : await openText(wire.value, key).catch(() => null);
  const expiresAt = wire.verified_expires_at ?? null;
  const { verified_salt: salt, verified_hash: hash } = wire;
  const attested =
    text !== null && salt !== undefined && hash !== undefined && (await matchesAttestation(text, salt, hash));
  return {
    id: wire.id,
    type: wire.type,
    label: wire.label,
    slug: wire.slug,
    private: wire.private,
    usertype: wire.usertype,
    value: text === null ? null : typedValue(text, wire.type, registry),
    file: wire.file ?? null,
    text,
    unreadable: wire.value !== null && text === null,
    verified: attested && (expiresAt === null || Date.parse(expiresAt) > now),
    verifiedAt: wire.verified_at ?? null,
    verifiedExpiresAt: expiresAt,
    verifiedMethod: wire.verified_method ?? null,
    createdAt: wire.created_at,
    updatedAt: wire.updated_at,
  };
}

/** Every field of the person, page by page, as it is stored. */
export async function storedFields(api: Api): Promise<WireField[]> {
  const fields: WireField[] = [];
  for (;;) {
    const query = { limit: 500, after: fields.at(-1)?.id ?? '' };
    const call = { method: 'GET', path: '/api/person/fields', query } as const;
    const page = await api.json<Partial<PersonFieldList>>(call);
    fields.push(...(page.fields ?? []));
    // A platform that does not page has no total. While fields come and go, only an empty page is the end.
    if (page.total === undefined || page.total === fields.length || page.fields?.length === 0) return fields;
  }
}
