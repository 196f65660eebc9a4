import type { DataClient } from '@symbolon/sdk';
import { edit } from '../cast.ts';
import { followChanges } from '../follow-changes.ts';
import type { Narrator } from '../narrator.ts';
import { expect, expectSame, textOf } from '../same-value.ts';
import type { StoredValues } from '../stored.ts';
import type { CompanySide } from './company.ts';
import type { Player } from './people.ts';
import type { Journey } from './reading.ts';

export type EditedValue = Journey & { event: string; change_id: string };

/** A value changes at its source and reaches the company by the feed. */
export async function hearOfEdit(
  backend: DataClient,
  scene: { company: CompanySide; player: Player; connectionId: string; stored: StoredValues; buffer: string },
  tell: Narrator,
): Promise<EditedValue> {
  const { company, player, stored } = scene;
  const row = company.row(edit.row);
  const source = player.field(edit.field);
  tell.chapter(`${player.script.name} changes her ${edit.row}`);
  tell.say("The company's backend follows the feed with a pump, its buffer on disk.");
  const changes = followChanges(backend, scene.buffer);
  try {
    tell.fact('She types', edit.value);
    await player.client.editField(source.id, edit.value);
    const change = await changes.until(({ event, slug }) => event === 'field_updated' && slug === edit.row);
    const { value, raw } = change;
    if (value === undefined || raw.value === undefined) throw new Error('The change came without a value.');
    const what = `${player.script.name}'s new ${edit.row}`;
    expectSame(edit.value, value.value, what);
    expect(!JSON.stringify(raw).includes(source.id), 'The change names the source field.');
    expect(raw.value === stored.wrapper(scene.connectionId, row.id), 'The change is not what is stored.');
    tell.changes(changes.seen());
    return {
      person: player.script.name,
      slug: edit.row,
      type: row.type,
      typed: edit.value,
      stored: raw.value,
      decrypted: textOf(value.value),
      live: value.live,
      verified: value.verified,
      event: change.event,
      change_id: change.id,
    };
  } finally {
    await changes.stop();
  }
}
