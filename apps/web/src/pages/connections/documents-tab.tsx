import { IconFileText, IconRoute } from '@tabler/icons-react';
import { Loaded } from '../../parts/loaded.tsx';
import { runName } from '../../parts/run-name.ts';
import { When } from '../../parts/when.tsx';
import type { Connection } from '../../platform/connections.ts';
import { documentsQuery } from '../../platform/document-list.ts';
import { runsQuery } from '../../platform/flows/run-list.ts';
import { useRead } from '../../platform/read.ts';
import { useSession } from '../../platform/session.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { Empty } from '../../ui/empty.tsx';
import { IconTile } from '../../ui/icon.tsx';
import { List, RowLink } from '../../ui/list.tsx';
import { StateBadge } from '../documents/state-badge.tsx';
import { RunBadge } from '../flows/run-badge.tsx';

/** What the company sent, and what the two did step by step. */
export function DocumentsTab({ connection }: { connection: Connection }) {
  const { t, language } = useInsideText();
  const session = useSession();
  const documents = useRead(documentsQuery);
  const runs = useRead(runsQuery);
  const personId = session.state === 'in' ? session.person.person_user_id : '';
  const isTheirs = ({ service }: { service: { id: string } }) => service.id === connection.service.id;
  const theirs = documents.found?.filter(isTheirs) ?? [];
  const flows = runs.found?.filter(isTheirs) ?? [];
  return (
    <Loaded of={documents} height={160}>
      {() =>
        theirs.length + flows.length === 0 ? (
          <Empty title={t('companies.documents.none')}>
            {t('companies.documents.none.text', { company: connection.company.display_name })}
          </Empty>
        ) : (
          <List label={t('companies.tab.documents')}>
            {flows.map((run) => (
              <RowLink
                key={run.id}
                to="/me/flows/$runId"
                params={{ runId: run.id }}
                search={{ of: connection.connection_id }}
                parts={{
                  leading: <IconTile icon={IconRoute} />,
                  title: runName(run.flow_name, run, language),
                  detail: <When at={run.updated_at} />,
                  trailing: <RunBadge run={run} personId={personId} />,
                }}
              />
            ))}
            {theirs.map((document) => (
              <RowLink
                key={document.id}
                to="/me/documents/$documentId"
                params={{ documentId: document.id }}
                search={{ of: connection.connection_id }}
                parts={{
                  leading: <IconTile icon={IconFileText} />,
                  title: document.name,
                  detail: <When at={document.created_at} />,
                  trailing: <StateBadge document={document} />,
                }}
              />
            ))}
          </List>
        )
      }
    </Loaded>
  );
}
