import type { Writer } from '../../../db/database.ts';
import type { Outbox, RaisedEvent } from '../../../events/outbox.ts';
import type { Core } from '../../domain.ts';
import type { LiveSlots } from '../../sharing/index.ts';
import { differingFields, type TableShape } from './table-store.ts';
import type { Staged } from './take-rows.ts';

interface Deps extends Pick<Core, 'database'> {
  readonly liveSlots: Pick<LiveSlots, 'follow' | 'drop'>;
  readonly outbox: Outbox;
}

/**
 * Slots show their fields as their region knows them, and what has come may know less: then they are brought up to date here.
 * When it knows more, the change comes as a message.
 * @returns false when a field is not known here that its home may know
 */
export async function followFields(
  { database, liveSlots, outbox }: Deps,
  writer: Writer,
  shapes: readonly TableShape[],
  { moveId, companyId, tables }: Staged,
): Promise<boolean> {
  const shape = shapes.find(({ name }) => name === 'slot_values');
  if (shape === undefined) return true;
  const where = { moveId, companyId, chunks: tables[shape.name]?.chunks ?? 0 };
  const events: RaisedEvent[] = [];
  for (const state of await differingFields(database.engine, writer, shape, where)) {
    const { person_id: personId, field_id: fieldId, version, updated_at } = state;
    if (version === null || updated_at === null) {
      // At the person's home an unknown field is a deleted one; elsewhere it may also be a new one.
      if (state.home !== null) return false;
      events.push(...(await liveSlots.drop(writer, { personId, fieldId })));
    } else if (updated_at >= state.known_updated_at) {
      const field = { person_id: personId, id: fieldId };
      const { known_version, known_private, known_verification } = state;
      const before = { version: known_version, private: known_private, verification: known_verification };
      const after = { version, private: state.private ?? known_private, verification: state.verification };
      events.push(
        ...(await liveSlots.follow(writer, {
          before: { ...field, ...before },
          after: { ...field, ...after },
          copies: [],
        })),
      );
    }
  }
  await outbox.raise(writer, events);
  return true;
}
