import { type Connection, connections } from '../../platform/connections.ts';
import { useRead } from '../../platform/read.ts';

/** A service that has a field, live or as it was. */
export type Having = Pick<Connection, 'connection_id' | 'company' | 'service'> & { readonly isLive: boolean };

/** Who has each field, by its id. */
export function useSharing(): ReadonlyMap<string, readonly Having[]> {
  const { found = [] } = useRead(connections);
  const sharing = new Map<string, Having[]>();
  for (const { connection_id, company, service, mappings } of found) {
    for (const { field_id: id, kind } of mappings) {
      if (id === null) continue;
      const having = sharing.get(id) ?? [];
      having.push({ connection_id, company, service, isLive: kind === 'live' });
      sharing.set(id, having);
    }
  }
  return sharing;
}
