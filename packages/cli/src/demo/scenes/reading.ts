import type { Connection, DataClient } from '@symbolon/sdk';
import type { Narrator } from '../narrator.ts';
import { expect, expectSame, searchable, textOf } from '../same-value.ts';
import type { StoredValues } from '../stored.ts';
import type { CompanySide } from './company.ts';
import type { Player } from './people.ts';

/** One value on its way: as typed, as it rests on the platform, as the company's backend reads it. */
export type Journey = {
  person: string;
  slug: string;
  type: string;
  typed: string;
  stored: string;
  decrypted: string;
  live: boolean;
  verified: boolean;
};

/** Reads the connection list and holds every value against what was typed and against what the database has. */
export async function readAll(
  backend: DataClient,
  scene: { company: CompanySide; connected: ReadonlyMap<string, Player>; stored: StoredValues },
  tell: Narrator,
): Promise<Journey[]> {
  const { company, connected, stored } = scene;
  tell.chapter('Typed → stored → decrypted');
  tell.say("The company's backend reads the connection list and opens it with its private key.");
  const values: Journey[] = [];
  for await (const connection of backend.connections()) {
    const player = connected.get(connection.id);
    // Of the month before the story.
    if (player === undefined) continue;
    const journeys = Object.keys(player.script.answers).map((slug) =>
      journeyOf({ company, stored, player, connection, slug }),
    );
    tell.journeys(connection.displayName, journeys);
    values.push(...journeys);
  }
  const scripts = Array.from(connected.values(), ({ script }) => script);
  const expected = scripts.reduce((sum, { answers }) => sum + Object.keys(answers).length, 0);
  expect(values.length === expected, `${expected} values were shared, ${values.length} arrived.`);
  return values;
}

/** Looks for the typed texts in the files of the database. */
export function searchDatabase(
  { connected, stored }: { connected: ReadonlyMap<string, Player>; stored: StoredValues },
  values: readonly Journey[],
  tell: Narrator,
): { bytes: number; texts: number; found: number } {
  const texts = searchable(Array.from(connected.values(), ({ script }) => script));
  const { bytes, found } = stored.search(texts);
  expect(found.length === 0, 'A value stands readable in the database.');
  const size = `${Math.round(bytes / 1024).toLocaleString('en')} KiB`;
  tell.say(
    `All ${values.length} are what was typed. A search of the ${size} of database for ${texts.length} of the typed texts finds none.`,
  );
  return { bytes, texts: texts.length, found: found.length };
}

function journeyOf(scene: {
  company: CompanySide;
  stored: StoredValues;
  player: Player;
  connection: Connection;
  slug: string;
}): Journey {
  const { company, stored, player, connection, slug } = scene;
  const what = `${player.script.name}'s ${slug}`;
  const value = connection.values[slug];
  if (value === undefined) throw new Error(`${what} did not arrive.`);
  const typed = player.typed(slug);
  expect(!value.unreadable, `${what} cannot be opened.`);
  expectSame(typed, value.value, what);
  const row = company.row(slug);
  const answer = player.script.answers[slug];
  const isLive = answer !== undefined && 'field' in answer && !answer.oneTime && !row.one_time;
  expect(value.live === isLive, `${what} should be shared ${isLive ? 'live' : 'once'}.`);
  expect(value.verified === row.verified, `${what} should ${row.verified ? '' : 'not '}be verified.`);
  return {
    person: player.script.name,
    slug,
    type: row.type,
    typed: textOf(typed),
    stored: stored.wrapper(connection.id, row.id),
    decrypted: textOf(value.value),
    live: value.live,
    verified: value.verified,
  };
}
