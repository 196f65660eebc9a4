import { Text } from '@mantine/core';
import type { OperatorAct } from '@symbolon/protocol';
import { useState } from 'react';
import { LoadedList } from '../../../parts/loaded.tsx';
import { Commands } from '../../../parts/operator/commands.tsx';
import { OperatorPage } from '../../../parts/operator/operator-page.tsx';
import { Pager } from '../../../parts/operator/pager.tsx';
import { When } from '../../../parts/when.tsx';
import { ACTS_PAGE, actsQuery } from '../../../platform/operator/watch.ts';
import { useRead } from '../../../platform/read.ts';
import { useOperatorText } from '../../../text/operator/index.tsx';
import { Page } from '../../../ui/page.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';

export function RecordsPage() {
  return (
    <OperatorPage>
      <Records />
    </OperatorPage>
  );
}

/** What operators did, the newest first. */
function Records() {
  const { t } = useOperatorText();
  const [page, setPage] = useState(0);
  const list = useRead(actsQuery(page));
  const columns: Column<OperatorAct>[] = [
    { key: 'when', title: t('records.when'), cell: ({ at }) => <When at={at} /> },
    {
      key: 'what',
      title: t('records.what'),
      cell: ({ act, subject }) => (
        <>
          <Text ff="monospace" size="sm">
            {act}
          </Text>
          {subject !== null && (
            <Text ff="monospace" size="xs" c="dimmed">
              {subject}
            </Text>
          )}
        </>
      ),
    },
    {
      key: 'details',
      title: t('records.details'),
      wide: true,
      cell: ({ details }) =>
        Object.keys(details).length > 0 && (
          <Text ff="monospace" size="xs">
            {JSON.stringify(details)}
          </Text>
        ),
    },
    { key: 'from', title: t('records.from'), wide: true, cell: ({ source }) => source },
  ];
  return (
    <Page title={t('records.title')} lead={t('records.lead')}>
      <LoadedList
        of={{ ...list, found: list.found?.items }}
        none={t('records.none')}
        noneText={t('records.none.text')}
        height={300}
      >
        {(rows) => (
          <>
            <DataTable label={t('records.title')} columns={columns} rows={rows} keyOf={({ id }) => id} />
            <Pager
              back={page > 0 ? () => setPage(page - 1) : undefined}
              next={(page + 1) * ACTS_PAGE < (list.found?.total ?? 0) ? () => setPage(page + 1) : undefined}
            />
          </>
        )}
      </LoadedList>
      <Commands lines={['acts']} />
    </Page>
  );
}
