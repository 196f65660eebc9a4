import { Checkbox, Text } from '@mantine/core';
import type { LogEntry, Service } from '@symbolon/protocol';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { LoadedList } from '../../../parts/loaded.tsx';
import { detailsOf } from '../../../parts/portal/details.ts';
import { Pager } from '../../../parts/portal/pager.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { SaveCsv } from '../../../parts/portal/save-csv.tsx';
import { When } from '../../../parts/when.tsx';
import { LOGS_PAGE, logsQuery } from '../../../platform/portal/logs.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { BackLink, Page } from '../../../ui/page.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { ServiceFrame } from './service-frame.tsx';

const HERE = '/portal/services/$serviceId/logs';

export function LogsPage() {
  return <ServiceFrame>{(service) => <Logs key={service.id} service={service} />}</ServiceFrame>;
}

/** What the platform did for a service, and what was changed at it. */
function Logs({ service: { id, name } }: { service: Service }) {
  const { t } = usePortalText();
  const { page = 0, live } = useSearch({ from: HERE });
  const navigate = useNavigate();
  const log = useRead(logsQuery(id, page, live !== undefined));
  const go = (search: { page?: number; live?: string }) =>
    navigate({ to: HERE, params: { serviceId: id }, search });
  const { total = 0 } = log.found ?? {};
  const typeOf = ({ type }: LogEntry) => t(`logs.type.${type as 'email' | 'purge' | 'webhook' | 'config'}`);
  const columns: Column<LogEntry>[] = [
    { key: 'when', title: t('audit.when'), cell: (entry) => <When at={entry.created_at} /> },
    { key: 'type', title: t('logs.type'), cell: typeOf },
    {
      key: 'what',
      title: t('audit.what'),
      cell: ({ message, metadata }) => (
        <>
          <Text size="sm">{message}</Text>
          <Text size="xs" c="dimmed">
            {detailsOf(metadata)}
          </Text>
        </>
      ),
    },
  ];
  return (
    <Page
      back={
        <BackLink to="/portal/services/$serviceId" params={{ serviceId: id }}>
          {name}
        </BackLink>
      }
      title={t('logs.title')}
      lead={t('logs.lead')}
    >
      <Checkbox
        label={t('logs.live')}
        checked={live !== undefined}
        onChange={({ currentTarget: { checked } }) => go(checked ? { live: 'yes' } : {})}
      />
      <LoadedList
        of={{ ...log, found: log.found?.items }}
        none={t('audit.none')}
        noneText={t('logs.none.text')}
        height={300}
      >
        {(items) => (
          <>
            <DataTable label={t('logs.title')} columns={columns} rows={items} keyOf={(entry) => entry.id} />
            <Pager
              page={page}
              size={LOGS_PAGE}
              shown={items.length}
              total={total}
              go={(next) => go(next === 0 ? {} : { page: next })}
            />
            <SaveCsv
              name={`logs-${page * LOGS_PAGE + 1}`}
              heads={['id', 'created_at', 'type', 'message', 'metadata']}
              rows={items.map(({ id, created_at: at, type, message, metadata }) => [
                ...[id, at, type, message, detailsOf(metadata)],
              ])}
            />
          </>
        )}
      </LoadedList>
      <SameByApi {...sameCalls.logs(id)} />
    </Page>
  );
}
