import { sealValue, serializeWrapper } from '@symbolon/crypto';
import type { LiveSlot, PersonField, SlotCopy, UpdatePersonFieldRequest } from '@symbolon/protocol';
import { type Api, path } from '../http/api.ts';
import { ConflictError, InvalidRequestError } from '../http/errors.ts';

export type FieldEdit = {
  id: string;
  plaintext: string;
  publicKey: string;
  label?: string | undefined;
  private?: boolean | undefined;
};

/**
 * Saves a new value with one sealed copy for each slot that follows the field, in one request. When slots were added or
 * removed in the meantime, the platform says which, and the request is repeated with the right copies.
 */
export async function saveField(api: Api, edit: FieldEdit): Promise<PersonField> {
  const { id, plaintext, publicKey } = edit;
  const value = serializeWrapper(await sealValue(plaintext, publicKey));
  let slots = await liveSlots(api, id);
  let copies = await sealCopies(slots, plaintext);
  for (let attempt = 1; ; attempt++) {
    const json: UpdatePersonFieldRequest = {
      value,
      copies,
      ...(edit.label !== undefined && { label: edit.label }),
      ...(edit.private !== undefined && { private: edit.private }),
    };
    try {
      return await api.json<PersonField>({ method: 'PUT', path: path`/api/person/fields/${id}`, json });
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      if (error instanceof ConflictError && error.errorKey === 'contact_data.copies_missing') {
        const missing = missingOf(error);
        copies = [...copies, ...(await sealCopies(missing, plaintext))];
      } else if (
        error instanceof InvalidRequestError &&
        error.errorKey === 'contact_data.copies_unexpected'
      ) {
        slots = await liveSlots(api, id);
        copies = await sealCopies(slots, plaintext);
      } else {
        throw error;
      }
    }
  }
}

async function liveSlots(api: Api, id: string): Promise<LiveSlot[]> {
  type Body = { slots: LiveSlot[] };
  const { slots } = await api.json<Body>({ method: 'GET', path: path`/api/person/fields/${id}/slots` });
  return slots;
}

function sealCopies(slots: readonly LiveSlot[], plaintext: string): Promise<SlotCopy[]> {
  return Promise.all(
    slots.map(async ({ connection_id, request_field_id, service_public_key }) => {
      const value = serializeWrapper(await sealValue(plaintext, service_public_key));
      return { connection_id, request_field_id, value };
    }),
  );
}

function missingOf(error: ConflictError): LiveSlot[] {
  const { missing } = error.details;
  if (Array.isArray(missing) && missing.length > 0) return missing as LiveSlot[];
  throw error;
}

const ATTEMPTS = 4;
