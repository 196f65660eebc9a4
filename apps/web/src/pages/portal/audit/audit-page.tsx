import { Text } from '@mantine/core';
import type { AuditEntryView } from '@symbolon/protocol';
import { useState } from 'react';
import { LoadedList } from '../../../parts/loaded.tsx';
import { detailsOf } from '../../../parts/portal/details.ts';
import { Pager } from '../../../parts/portal/pager.tsx';
import { PortalPage, usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { SaveCsv } from '../../../parts/portal/save-csv.tsx';
import { When } from '../../../parts/when.tsx';
import { AUDIT_PAGE, auditLogQuery } from '../../../platform/portal/account.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Empty } from '../../../ui/empty.tsx';
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
  return (
    <Page title={t('audit.title')} lead={t('audit.lead')}>
      {mayAs(usePortalLogin(), 'admin') ? (
        <Entries />
      ) : (
        <Empty title={t('audit.forAdmins')}>{t('audit.forAdmins.text')}</Empty>
      )}
    </Page>
  );
}

function Entries() {
  const { t } = usePortalText();
  const [page, setPage] = useState(0);
  const log = useRead(auditLogQuery(page));
  const columns: Column<AuditEntryView>[] = [
    { key: 'when', title: t('audit.when'), cell: ({ at }) => <When at={at} /> },
    { key: 'who', title: t('audit.who'), cell: ({ actor }) => whoOf(actor) },
    {
      key: 'what',
      title: t('audit.what'),
      cell: (entry) => <What {...entry} />,
    },
    { key: 'from', title: t('audit.from'), wide: true, cell: ({ actor }) => actor.source ?? '' },
  ];
  const { total = 0 } = log.found ?? {};
  return (
    <>
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
            <SaveCsv
              name={`audit-${page * AUDIT_PAGE + 1}`}
              heads={['id', 'at', 'who', 'action', 'target', 'from', 'details']}
              rows={items.map(({ id, at, actor, action, target, details }) => [
                ...[id, at, whoOf(actor), action, target, actor.source ?? '', detailsOf(details)],
              ])}
            />
          </>
        )}
      </LoadedList>
      <SameByApi {...sameCalls.auditLog} />
    </>
  );

  function whoOf({ kind, id, name }: AuditEntryView['actor']): string {
    if (kind === 'platform') return t('audit.platform');
    if (kind === 'operator') return t('audit.operator');
    return name ?? id;
  }
}

function What({ action, target, details }: AuditEntryView) {
  const more = detailsOf(details);
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
      {more !== '' && (
        <Text size="xs" c="dimmed">
          {more}
        </Text>
      )}
    </>
  );
}
