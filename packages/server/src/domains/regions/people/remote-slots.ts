import { lock } from '../../../db/database.ts';
import type { Flag } from '../../../db/tables.ts';
import type { Core } from '../../domain.ts';
import type { MessageQueue } from '../messages/message-queue.ts';
import {
  deleteRemoteSlot,
  deleteRemoteSlotsOfCompany,
  homePerson,
  insertRemoteSlots,
  putRequestRows,
  putServiceKey,
  versionsOf,
} from './store.ts';
import type { RemoteSlotRow } from './tables.ts';

/** What another region sends before it makes live slots of a person of this region. */
export interface RegistrationRequest {
  readonly person_id: string;
  /** The fields with the versions that the other region knows; 0 for a field that it does not know. */
  readonly fields: readonly { readonly id: string; readonly version: number }[];
  readonly slots: readonly Omit<RemoteSlotRow, 'person_id' | 'registered_at' | 'field_version'>[];
}

/** `versions` are those of the home; null for a field that does not exist. */
export type Registration =
  | { readonly state: 'registered' }
  | { readonly state: 'unknown_person' }
  | { readonly state: 'stale'; readonly versions: Readonly<Record<string, number | null>> };

/** Messages from the home of a company to the homes of people about slots. */
export const SlotMessage = {
  gone: 'slots_gone',
  /** Earlier versions send it together with the message that the company is deleted, which has the same effect. */
  companyGone: 'company_slots_gone',
  serviceKey: 'service_key',
  requestRows: 'request_rows',
} as const;

export interface SlotsGone {
  readonly slots: readonly { readonly person_id: string; readonly registration: string }[];
}
export interface ServiceKeyReplaced {
  readonly company_id: string;
  readonly service_id: string;
  readonly public_key: string;
}
export interface RequestRowsChanged {
  readonly company_id: string;
  readonly rows: readonly { readonly id: string; readonly mandatory: Flag }[];
}

interface Deps extends Pick<Core, 'clock' | 'database'> {
  readonly messages: MessageQueue;
}

/**
 * At the home of a person: the live slots in other regions. A slot is registered here before it is made there, and removed
 * after it ends there. So this region knows every slot that exists, and every new value reaches it.
 */
export class RemoteSlots {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
    const { messages } = deps;
    messages.handle(SlotMessage.gone, async (writer, { body }) => {
      for (const slot of (body as SlotsGone).slots) {
        await deleteRemoteSlot(writer, slot.person_id, slot.registration);
      }
    });
    messages.handle(SlotMessage.companyGone, async (writer, { subject }) =>
      deleteRemoteSlotsOfCompany(writer, subject),
    );
    messages.handle(SlotMessage.serviceKey, async (writer, { body }) => {
      const { company_id, service_id, public_key } = body as ServiceKeyReplaced;
      await putServiceKey(writer, { company_id, service_id, public_key });
    });
    messages.handle(SlotMessage.requestRows, async (writer, { body }) => {
      const { company_id, rows } = body as RequestRowsChanged;
      const changed = rows.map(({ id, mandatory }) => ({ request_field_id: id, mandatory }));
      await putRequestRows(writer, company_id, changed);
    });
  }

  /** Registers slots that another region is about to make, if it knows the current versions of the fields. */
  async register(request: RegistrationRequest): Promise<Registration> {
    return this.#deps.database.write(async (writer): Promise<Registration> => {
      await lock(this.#deps.database.engine, writer, 'persons', [request.person_id]);
      if ((await homePerson(writer, request.person_id)) === undefined) return { state: 'unknown_person' };
      const versions = await versionsOf(writer, request.person_id);
      if (request.fields.some((field) => versions.get(field.id) !== field.version)) {
        return {
          state: 'stale',
          versions: Object.fromEntries(
            request.fields.map((field) => [field.id, versions.get(field.id) ?? null]),
          ),
        };
      }
      const at = this.#deps.clock.now();
      await insertRemoteSlots(
        writer,
        request.slots.map((slot) => ({
          ...slot,
          person_id: request.person_id,
          registered_at: at,
          field_version: versions.get(slot.field_id) ?? null,
        })),
      );
      return { state: 'registered' };
    });
  }
}
