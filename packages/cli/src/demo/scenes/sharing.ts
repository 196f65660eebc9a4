import type { Narrator } from '../narrator.ts';
import type { CompanySide } from './company.ts';
import type { Player } from './people.ts';

/** Everybody connects; gives the players by the ids of their connections. */
export async function share(
  players: readonly Player[],
  { service }: CompanySide,
  tell: Narrator,
): Promise<Map<string, Player>> {
  tell.chapter('They connect and share');
  const connected = new Map<string, Player>();
  for (const player of players) {
    const { script, client } = player;
    const connection = await client.connect(service.companyCode, service.serviceCode, script.answers);
    connected.set(connection.connection_id, player);
    const once = connection.mappings.filter(({ kind }) => kind === 'one_time').length;
    const live = connection.mappings.length - once;
    tell.fact(
      script.name,
      `${live} values live and ${once} once, each sealed on the device to the service's key`,
    );
  }
  return connected;
}
