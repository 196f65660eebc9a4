import { descendant } from '../cast.ts';
import type { Narrator } from '../narrator.ts';
import { textOf } from '../same-value.ts';
import { sourceFreeAnswer } from '../source-free.ts';
import type { CompanySide } from './company.ts';
import type { Player } from './people.ts';

export type HiddenSource = { asked: string; answered_by: string; value: string; on_the_wire: string[] };

/** A field of a more special type answers a row of a general one, and the answer does not show it (wire 2.4, answering rule). */
export async function hideSource(
  scene: { url: string; company: CompanySide; player: Player; connectionId: string },
  tell: Narrator,
): Promise<HiddenSource> {
  const { url, company, player, connectionId } = scene;
  const { row: slug, field, fieldType } = descendant;
  tell.chapter('A date of birth answers a row that asks for a date');
  const { members } = await sourceFreeAnswer({
    url,
    clientId: company.client.id,
    clientSecret: company.client.secret,
    connectionId,
    slug,
    hidden: [player.field(field).id, field, fieldType],
  });
  const asked = company.row(slug).type;
  const value = textOf(player.typed(slug));
  tell.fact('Asked for', `${slug} (${asked})`);
  tell.fact(`${player.script.name} used`, `${field} (${fieldType})`);
  tell.fact('Company reads', `${slug}: ${value}`);
  tell.fact('On the wire', members.join(', '));
  tell.say('Neither the field nor its type is there: only the slug the company chose.');
  return { asked, answered_by: fieldType, value, on_the_wire: members };
}
