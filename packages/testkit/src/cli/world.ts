import { type Credentials, leaveBehind } from '../../../cli/src/demo/leave-behind.ts';
import { silentNarrator } from '../../../cli/src/demo/narrator.ts';
import { openCompany } from '../../../cli/src/demo/scenes/company.ts';
import { type Players, registerPeople } from '../../../cli/src/demo/scenes/people.ts';
import { proveAddress } from '../../../cli/src/demo/scenes/proof.ts';
import { share } from '../../../cli/src/demo/scenes/sharing.ts';
import { setStage } from '../../../cli/src/demo/stage.ts';

export { temporaryFolder } from '../folder.ts';

/** A platform that serves, with the company and the people of the demo connected and nothing drained yet. */
export type World = {
  url: string;
  folder: string;
  players: Players;
  credentials: Credentials;
  clear(): Promise<void>;
};

/** @param options.loopback webhooks may call this machine */
export async function createWorld(options: { loopback?: boolean } = {}): Promise<World> {
  const stage = await setStage({ keep: options.loopback ?? false, port: 0 });
  const { url, folder } = stage;
  const company = await openCompany(stage, silentNarrator);
  const players = await registerPeople(stage, silentNarrator);
  await proveAddress(players.mira, folder, silentNarrator);
  await share(Object.values(players), company, silentNarrator);
  const credentials = leaveBehind(stage, company, players.jonas);
  return { url, folder, players, credentials, clear: stage.clear };
}
