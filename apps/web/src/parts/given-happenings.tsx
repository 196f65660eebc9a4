import { IconRefresh, IconSend } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Connection } from '../platform/connections.ts';
import { useInsideText } from '../text/inside/index.tsx';
import type { Happening } from '../ui/timeline.tsx';
import { useFieldLabel } from './field-label.ts';
import { When } from './when.tsx';

/** What services were given, each row as it was last sent. @param detailOf what stands below it */
export function useGiven(
  connections: readonly Connection[],
  detailOf?: (connection: Connection) => ReactNode,
): { at: string; happening: Happening }[] {
  const { t } = useInsideText();
  const labelOf = useFieldLabel();
  return connections.flatMap((connection) => {
    const rows = new Map(connection.request_fields.map((row) => [row.id, row]));
    return connection.mappings.map(({ request_field_id: id, kind, slug, updated_at: at }) => {
      const row = rows.get(id);
      const label = row?.label ?? (row ? labelOf(row.type, { rows: [] }) : slug);
      const isLater = Date.parse(at) > Date.parse(connection.connected_at);
      const became = kind === 'live' && isLater ? 'updated' : kind === 'live' ? 'live' : 'once';
      return {
        at,
        happening: {
          key: `mapping ${connection.connection_id} ${id}`,
          icon: kind === 'live' ? IconRefresh : IconSend,
          title: t(`companies.activity.${became}`, { label }),
          when: <When at={at} />,
          ...(detailOf && { detail: detailOf(connection) }),
        },
      };
    });
  });
}
