import { Event, limits } from '@symbolon/protocol';
import { goneText, storedFile } from '../../../core/stored-file.ts';
import { lock } from '../../../db/database.ts';
import type { Outbox } from '../../../events/outbox.ts';
import type { Core } from '../../domain.ts';
import { type ExpiredFile, filesGivenBefore, replaceValue } from './slot-store.ts';
import { eventSubject } from './slots.ts';

/** Files that are looked up at a time; each one ends in a transaction of its own. */
const GROUP = 50;

interface Deps extends Pick<Core, 'clock' | 'database'> {
  readonly outbox: Outbox;
}

/**
 * Ends the files that people gave once, 90 days later (wire 4.3): the slot keeps the hash and the time, and the company hears
 * `field_deleted`.
 */
export async function expireFiles(deps: Deps, stopping?: AbortSignal): Promise<void> {
  for (;;) {
    const before = deps.clock.now() - limits.onceFileMs;
    const found = await filesGivenBefore(deps.database.reader, before, GROUP);
    for (const slot of found) {
      if (stopping?.aborted) return;
      await expire(deps, slot);
    }
    if (found.length < GROUP) return;
  }
}

async function expire({ clock, database, outbox }: Deps, slot: ExpiredFile): Promise<void> {
  const { engine } = database;
  await database.write(async (writer) => {
    await lock(engine, writer, 'services', [slot.service_id]);
    await lock(engine, writer, 'persons', [slot.customer_id]);
    await lock(engine, writer, 'connections', [slot.id]);
    const sha256 = storedFile(slot.value)?.hash ?? '';
    // The person may have answered again.
    if (!(await replaceValue(writer, slot, goneText({ sha256, at: clock.now() })))) return;
    const subject = await eventSubject(writer, slot);
    await outbox.raise(writer, [
      {
        ...subject,
        event: Event.fieldDeleted,
        slot: { requestFieldId: slot.request_field_id, slug: slot.slug },
      },
    ]);
  });
}
