import { type CryptoKey, sealValue, serializeWrapper } from '@symbolon/crypto';
import { type ResolvedFieldType, resolveRows } from '@symbolon/field-types';
import type {
  FieldTypeRow,
  PersonField,
  PersonFieldList,
  PersonFile,
  VerificationStarted,
} from '@symbolon/protocol';
import type { ValueInput } from '@symbolon/sdk/device';
import { type DeviceKeys, onDevice } from './device.ts';
import { call } from './inner/api.ts';
import { type OpenField, openAll } from './inner/open-field.ts';
import { keys, type Query } from './queries.ts';

export type { OpenField } from './inner/open-field.ts';

/** The types that fields have. Values are checked elsewhere: the means for that are many times larger. */
export type FieldTypes = {
  rows: readonly FieldTypeRow[];
  resolved: ReadonlyMap<string, ResolvedFieldType>;
};

export type Fields = { fields: readonly OpenField[]; types: FieldTypes; publicKey: string };

const FIELDS = '/api/person/fields';
const PAGE = 500;

/** Every field of the person, and the types they have. */
export const fieldsQuery = ({ key }: DeviceKeys, publicKey: string): Query<Fields> => ({
  key: keys.fields(key),
  read: () => openFields(key, publicKey),
  isFresh: true,
});

/** Each part is opened while the next is on its way. Most people have one, which is sooner opened here than a worker starts. */
async function openFields(key: CryptoKey, publicKey: string): Promise<Fields> {
  let isFirst = true;
  let opening = call<FieldTypeRow[]>('GET', '/api/contact-field-types').then((rows): Fields => {
    const resolved = resolveRows(rows, new Map(rows.map((row) => [row.type, row])));
    return { fields: [], types: { rows, resolved }, publicKey };
  });
  const open = (sealed: PersonField[], isLast: boolean) => {
    const part = isFirst ? openAll(sealed, key) : onDevice('openFields', { fields: sealed, key });
    isFirst = false;
    opening = Promise.all([opening, part]).then(([before, more]) => {
      const opened = { ...before, fields: [...before.fields, ...more] };
      if (!isLast) tell(opened);
      return opened;
    });
    // It is waited for when all parts are here.
    opening.catch(() => undefined);
  };
  try {
    await Promise.all([opening, eachPart(open)]);
    return await opening;
  } catch (error) {
    tell(undefined);
    throw error;
  }
}

let soFar: Fields | undefined;
const listeners = new Set<() => void>();

function tell(opened: Fields | undefined): void {
  if (listeners.size === 0) return;
  soFar = opened;
  for (const listener of listeners) listener();
}

/** The fields that are open already, while the rest is being opened: to look at, not to answer with. They go with who looks. */
export const fieldsSoFar = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) soFar = undefined;
    };
  },
  of: (publicKey: string): Fields | undefined => (soFar?.publicKey === publicKey ? soFar : undefined),
};

/** As they are stored. */
export async function allFields(): Promise<PersonField[]> {
  const fields: PersonField[] = [];
  await eachPart((part) => fields.push(...part));
  return fields;
}

async function eachPart(take: (fields: PersonField[], isLast: boolean) => void): Promise<void> {
  let count = 0;
  let after = '';
  for (;;) {
    const path = `${FIELDS}?limit=${PAGE}&after=${encodeURIComponent(after)}`;
    const { fields, total } = await call<PersonFieldList>('GET', path);
    count += fields.length;
    const isLast = fields.length === 0 || count >= total;
    take(fields, isLast);
    if (isLast) return;
    after = fields.at(-1)?.id ?? '';
  }
}

/** Whether values of the type are files. */
export function isFileType({ resolved }: FieldTypes, type: string): boolean {
  return (resolved.get(type)?.lane ?? 'inline') !== 'inline';
}

/**
 * Keeps a new field, sealed to the person's own key.
 *
 * @throws ValueError; ConflictError `contact_data.slug_taken`
 */
export async function addField(
  input: { type: string; label: string; value: ValueInput },
  { types, publicKey }: Fields,
): Promise<OpenField> {
  const { type, label } = input;
  const { checkedValue } = await import('./check-value.ts');
  const text = checkedValue(type, input.value, types.rows);
  const value = serializeWrapper(await sealValue(text, publicKey));
  return { ...(await newField({ type, label, value })), text };
}

/** A field of its own name; of a file type it is made without its file. */
export async function newField(input: { type: string; label: string; value?: string }): Promise<OpenField> {
  const { type, label } = input;
  const {
    id,
    slug,
    private: isPrivate,
    updated_at,
  } = await call<PersonField>('POST', FIELDS, { ...input, slug: slugOf(label) });
  const updatedAt = Date.parse(updated_at);
  return { id, type, label, slug, text: null, isPrivate, file: undefined, verifiedAt: undefined, updatedAt };
}

/** Whether what it answers is marked as private. Its value stays. */
export function setPrivate(id: string, isPrivate: boolean): Promise<PersonField> {
  return call('PUT', `${FIELDS}/${encodeURIComponent(id)}`, { private: isPrivate });
}

/** Takes the field away from the person and from the services that follow it. @throws ConflictError `contact_data.mandatory` */
export function deleteField(id: string): Promise<void> {
  return call('DELETE', `${FIELDS}/${encodeURIComponent(id)}`);
}

/** Makes a field again that was deleted a moment ago, with the value that it had. */
export async function restoreField(
  { type, label, text, isPrivate }: OpenField,
  { publicKey }: Pick<Fields, 'publicKey'>,
): Promise<void> {
  const value = serializeWrapper(await sealValue(text ?? '', publicKey));
  const { id } = await newField({ type, label, value });
  if (isPrivate) await setPrivate(id, true);
}

/** How what is in a field can be verified; undefined where it cannot. */
export function verifiedBy(
  { resolved }: FieldTypes,
  { type, text, file }: OpenField,
): 'code' | 'document' | undefined {
  const lineage = resolved.get(type)?.lineage ?? [];
  if (lineage.includes('email')) return text ? 'code' : undefined;
  return lineage.includes('proof_of_identity') && file !== undefined ? 'document' : undefined;
}

/** Has a code mailed to the address in the field: at this moment alone the platform sees it. */
export function mailVerificationCode({ id, text }: OpenField): Promise<VerificationStarted> {
  return call('POST', `${FIELDS}/${encodeURIComponent(id)}/verification`, { value: text });
}

/** @throws InvalidRequestError `verification.code_invalid`; ConflictError `verification.value_changed` */
export function confirmVerification({ id, text }: OpenField, code: string): Promise<PersonField> {
  const body = { value: text, code: code.replace(/\s/g, '') };
  return call('POST', `${FIELDS}/${encodeURIComponent(id)}/verification/confirm`, body);
}

/** Takes back that the field is verified, and what was begun to verify it. */
export function dropVerification({ id }: OpenField): Promise<PersonField> {
  return call('DELETE', `${FIELDS}/${encodeURIComponent(id)}/verification`);
}

/** A name that no other field has: people see labels, never slugs. */
function slugOf(label: string): string {
  const letters = label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '');
  const random = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  return `${letters.slice(0, 30) || 'field'}_${random.toString(36)}`;
}

/** About how large a file itself is: sealing makes base64 of base64. */
export function bytesOf({ sealed, bytes }: PersonFile): number {
  return sealed ? Math.round((bytes * 9) / 16) : bytes;
}

/** Whether the field still holds what a service got of it: it follows, or has not changed since it was sent. */
export function isAsSent(
  { updatedAt }: Pick<OpenField, 'updatedAt'>,
  sent: { kind: 'live' | 'one_time'; updated_at: string },
): boolean {
  return sent.kind === 'live' || updatedAt <= Date.parse(sent.updated_at);
}

/** May a field of the type `actual` answer what asks for `requested`: the same type, or one below it? */
export function accepts({ resolved }: FieldTypes, requested: string, actual: string): boolean {
  return requested === actual || (resolved.get(actual)?.lineage.includes(requested) ?? false);
}
