import { lock, type Reader, type Writer } from '../../../db/database.ts';
import type { Flag } from '../../../db/tables.ts';
import type { Core } from '../../domain.ts';
import type { RegionMessages } from '../messages/index.ts';
import {
  deleteRemoteSlot,
  deleteRemoteSlotsOfCompany,
  deleteRemoteSlotsOfField,
  homePerson,
  insertRemoteSlots,
  type KnownRemoteSlot,
  remoteSlotsOf,
  setMandatory,
  setServiceKey,
  versionsOf,
} from './store.ts';
import type { RemoteSlotRow } from './tables.ts';

export { deleteRemoteSlotsOfCompany } from './store.ts';

/** What another region asks before it makes live slots of a person at home here. */
export interface RegistrationRequest {
  readonly person_id: string;
  /** The fields that are named, at the versions known there; 0 for one that is not known there. */
  readonly fields: readonly { readonly id: string; readonly version: number }[];
  readonly slots: readonly Omit<RemoteSlotRow, 'person_id' | 'registered_at'>[];
}

/** How the fields stand at home; a field that is none has no version. */
export type Registration =
  | { readonly state: 'registered' }
  | { readonly state: 'unknown_person' }
  | { readonly state: 'stale'; readonly versions: Readonly<Record<string, number | null>> };

/** A slot in another region. */
export type RemoteSlot = KnownRemoteSlot;

/** Messages by which the region of a company tells people's homes of slots. */
export const SlotMessage = {
  gone: 'slots_gone',
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
  readonly messages: RegionMessages;
}

/**
 * At the home of a person: the live slots that are in other regions. A slot is written down here before it is made there,
 * and struck off after it is gone there: so whatever stands there is known here, and every new value reaches it.
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
      const { company_id: companyId, service_id: serviceId, public_key } = body as ServiceKeyReplaced;
      await setServiceKey(writer, { companyId, serviceId }, public_key);
    });
    messages.handle(SlotMessage.requestRows, async (writer, { body }) => {
      const { company_id: companyId, rows } = body as RequestRowsChanged;
      for (const row of rows) {
        await setMandatory(writer, { companyId, requestFieldId: row.id }, row.mandatory);
      }
    });
  }

  /** The slots in other regions that follow a field, oldest connection first. */
  async of(reader: Reader, fieldId: string): Promise<KnownRemoteSlot[]> {
    return remoteSlotsOf(reader, fieldId);
  }

  /** Part of deleting a field: the other regions drop its slots when they hear of it. */
  async forget(writer: Writer, fieldId: string): Promise<void> {
    await deleteRemoteSlotsOfField(writer, fieldId);
  }

  /** Writes down slots that another region is about to make, if it knows the fields as they are. */
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
        request.slots.map((slot) => ({ ...slot, person_id: request.person_id, registered_at: at })),
      );
      return { state: 'registered' };
    });
  }
}
