import { relative } from 'node:path';
import { verifiedField } from '../cast.ts';
import type { Narrator } from '../narrator.ts';
import { codeFromOutbox } from '../outbox.ts';
import { expect } from '../same-value.ts';
import type { Player } from './people.ts';

/** An e-mail address is proven by the code that is mailed to it. */
export async function proveAddress(player: Player, folder: string, tell: Narrator): Promise<void> {
  const { script, client } = player;
  tell.chapter(`${script.name} proves her e-mail address`);
  const { id, text } = player.field(verifiedField);
  await client.startVerification(id);
  const { code, file } = await codeFromOutbox(folder, text ?? '');
  tell.fact('Mail', relative(folder, file));
  tell.fact('Code', code);
  const { verified } = await client.confirmVerification(id, code);
  expect(verified, 'The e-mail address was not verified.');
  tell.say(
    'It is verified. That was the one moment in which the platform saw the address; it keeps a salted hash of it.',
  );
}
