import { sealValue, serializeWrapper } from '@symbolon/crypto';
import type { Decision } from '@symbolon/protocol';
import type { Asking } from '@symbolon/sdk/device';
import type { OpenField } from './fields.ts';

/** What the person answers to the rows of a service, by their ids. */
export type RowAnswers = ReadonlyMap<
  string,
  { field: OpenField; live: boolean } | { field?: undefined; text: string }
>;

/** Seals answers to the key of the service; files go up, each by itself. */
export async function decisionsOf(
  rows: RowAnswers,
  servicePublicKey: string | undefined,
): Promise<Decision[]> {
  const decisions: Decision[] = [];
  for (const [id, answer] of rows) {
    if (answer.field === undefined) {
      const value = await sealedTo(answer.text, servicePublicKey);
      decisions.push({ request_field_id: id, kind: 'one_time', value });
      continue;
    }
    const { field, live } = answer;
    const content = await contentOf(field, servicePublicKey);
    decisions.push({
      request_field_id: id,
      kind: live ? 'live' : 'one_time',
      field_id: field.id,
      ...content,
    });
  }
  return decisions;
}

/** The same, once the key of the service is known to be the one that the person confirmed. @throws UnconfirmedKeyError `sdk.service_key_changed`, `sdk.owner_changed` */
export async function sealAnswers(personId: string, asked: Asking, rows: RowAnswers): Promise<Decision[]> {
  const { withConfirmedKeys } = await import('./known-keys.ts');
  await withConfirmedKeys(personId, (confirmed) => confirmed.requireFor(Object.fromEntries(rows), asked));
  return decisionsOf(rows, asked.service.public_key);
}

async function contentOf(
  { id, text, file }: OpenField,
  key: string | undefined,
): Promise<Pick<Decision, 'value' | 'upload_id'>> {
  if (file === undefined) return { value: await sealedTo(text ?? '', key) };
  // The platform gives the service the same file.
  if (!file.sealed) return {};
  if (key === undefined) throw noKey();
  const { uploadOf } = await import('./files.ts');
  return { upload_id: await uploadOf(id, key) };
}

export async function sealedTo(text: string, publicKey: string | null | undefined): Promise<string> {
  if (!publicKey) throw noKey();
  return serializeWrapper(await sealValue(text, publicKey));
}

const noKey = () => new Error('There is no key to seal to.');
