import { Text } from '@mantine/core';
import type { AuditEntryView } from '@symbolon/protocol';
import { useState } from 'react';
import { LoadedList } from '../../../parts/loaded.tsx';
import { Pager } from '../../../parts/portal/pager.tsx';
import { PortalPage } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { When } from '../../../parts/when.tsx';
import { AUDIT_PAGE, auditLogQuery } from '../../../platform/portal/account.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Page } from '../../../ui/page.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';

export function AuditPage() {
  return (
    <PortalPage>
      <AuditLog />
    </PortalPage>
  );
}

/** Who did what to the account. */
function AuditLog() {
  const { t } = usePortalText();
  const [page, setPage] = useState(0);
  const log = useRead(auditLogQuery(page));
  const columns: Column<AuditEntryView>[] = [
    { key: 'when', title: t('audit.when'), cell: ({ at }) => <When at={at} /> },
    { key: 'who', title: t('audit.who'), cell: ({ actor }) => whoOf(actor) },
    {
      key: 'what',
      title: t('audit.what'),
      cell: ({ action, target }) => <What action={action} target={target} />,
    },
    { key: 'from', title: t('audit.from'), wide: true, cell: ({ actor }) => actor.source ?? '' },
  ];
  const { total = 0 } = log.found ?? {};
  return (
    <Page title={t('audit.title')} lead={t('audit.lead')}>
      <LoadedList
        of={{ ...log, found: log.found?.items }}
        none={t('audit.none')}
        noneText={t('audit.none.text')}
        height={300}
      >
        {(items) => (
          <>
            <DataTable label={t('audit.title')} columns={columns} rows={items} keyOf={({ id }) => id} />
            <Pager page={page} size={AUDIT_PAGE} shown={items.length} total={total} go={setPage} />
          </>
        )}
      </LoadedList>
      <SameByApi {...sameCalls.auditLog} />
    </Page>
  );

  function whoOf({ kind, id, name }: AuditEntryView['actor']): string {
    if (kind === 'platform') return t('audit.platform');
    if (kind === 'operator') return t('audit.operator');
    return name ?? id;
  }
}

function What({ action, target }: { action: string; target: string }) {
  return (
    <>
      <Text ff="monospace" size="sm">
        {action}
      </Text>
      {target !== '' && (
        <Text ff="monospace" size="xs" c="dimmed">
          {target}
        </Text>
      )}
    </>
  );
}
