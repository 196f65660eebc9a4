import { sealValue, serializeWrapper } from '@symbolon/crypto';
import type { LiveSlot, PersonField, SlotCopy, UpdatePersonFieldRequest } from '@symbolon/protocol';
import { type Api, path } from '../http/api.ts';
import { ConflictError, InvalidRequestError } from '../http/errors.ts';
import { type ConfirmedKeys, connectionOf, type NamedKey } from '../known-keys/confirmed-keys.ts';

export type FieldEdit = {
  id: string;
  plaintext: string;
  publicKey: string;
  label?: string | undefined;
  private?: boolean | undefined;
};

type Tools = { api: Pick<Api, 'json'>; keys: ConfirmedKeys };

/**
 * Saves a new value with one sealed copy for each slot that follows the field, in one request. When slots were added or
 * removed in the meantime, the platform says which, and the request is repeated with the right copies. A slot keeps its former
 * value when its service has a changed key that is not confirmed, or when the person never answered that service on a device.
 */
export async function saveField(tools: Tools, edit: FieldEdit): Promise<PersonField> {
  const { api, keys } = tools;
  const { id, plaintext, publicKey } = edit;
  const value = serializeWrapper(await sealValue(plaintext, publicKey));
  let slots = await liveSlots(api, id);
  let copies = await sealCopies(keys, slots, plaintext);
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
        copies = [...copies, ...(await sealCopies(keys, missing, plaintext))];
      } else if (
        error instanceof InvalidRequestError &&
        error.errorKey === 'contact_data.copies_unexpected'
      ) {
        slots = await liveSlots(api, id);
        copies = await sealCopies(keys, slots, plaintext);
      } else {
        throw error;
      }
    }
  }
}

/** The slots that follow a field. */
export async function liveSlots(api: Pick<Api, 'json'>, id: string): Promise<LiveSlot[]> {
  type Body = { slots: LiveSlot[] };
  const { slots } = await api.json<Body>({ method: 'GET', path: path`/api/person/fields/${id}/slots` });
  return slots;
}

async function sealCopies(
  keys: ConfirmedKeys,
  slots: readonly LiveSlot[],
  plaintext: string,
): Promise<SlotCopy[]> {
  // Each slot has a key of its own here: a platform could name two for one service.
  const isUsable = await usableSlots(keys, slots);
  return Promise.all(
    slots.map(async ({ connection_id, request_field_id, service_public_key }, index) => {
      const slot = { connection_id, request_field_id };
      if (!isUsable[index]) return { ...slot, withheld: true };
      return { ...slot, value: serializeWrapper(await sealValue(plaintext, service_public_key)) };
    }),
  );
}

/** Which slots may get copies, in their order: their key is known, and their connection leads to the service that it led to before. */
export async function usableSlots(
  keys: Pick<ConfirmedKeys, 'known' | 'held'>,
  slots: readonly LiveSlot[],
): Promise<boolean[]> {
  const isKnown = await keys.known(slots.map(keyOf));
  const isHeld = await keys.held(
    slots.map((slot) => ({ ...connectionOf(slot.connection_id), owners: [keyOf(slot)] })),
  );
  return slots.map((_, index) => isKnown[index] === true && isHeld[index] === true);
}

/** The key that a copy for a slot is sealed to. */
function keyOf({ service_id, service_public_key }: LiveSlot): NamedKey {
  return { kind: 'service', id: service_id, publicKey: service_public_key };
}

function missingOf(error: ConflictError): LiveSlot[] {
  const { missing } = error.details;
  if (Array.isArray(missing) && missing.length > 0) return missing as LiveSlot[];
  throw error;
}

const ATTEMPTS = 4;
