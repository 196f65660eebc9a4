import { Checkbox } from '@mantine/core';
import type { LogEntry, Service } from '@symbolon/protocol';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { detailsOf } from '../../../parts/portal/details.ts';
import { LogList } from '../../../parts/portal/log-list.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { When } from '../../../parts/when.tsx';
import { serviceLog } from '../../../platform/portal/logs.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { BackLink, Page } from '../../../ui/page.tsx';
import { ServiceFrame } from './service-frame.tsx';

const HERE = '/portal/services/$serviceId/logs';

export function LogsPage() {
  return <ServiceFrame>{(service) => <Logs key={service.id} service={service} />}</ServiceFrame>;
}

/** What the platform did for a service, and what was changed at it. */
function Logs({ service: { id, name } }: { service: Service }) {
  const { t } = usePortalText();
  const { live } = useSearch({ from: HERE });
  const navigate = useNavigate();
  const go = (search: { live?: string }) => navigate({ to: HERE, params: { serviceId: id }, search });
  const typeOf = ({ type }: LogEntry) => t(`logs.type.${type as 'email' | 'purge' | 'webhook' | 'config'}`);
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
      <LogList
        label={t('logs.title')}
        list={serviceLog(id, live !== undefined)}
        what={({ message }) => message}
        others={[
          { key: 'when', title: t('audit.when'), cell: (entry) => <When at={entry.created_at} /> },
          { key: 'type', title: t('logs.type'), cell: typeOf },
          { key: 'more', title: t('audit.details'), wide: true, cell: ({ metadata }) => detailsOf(metadata) },
        ]}
        noneText={t('logs.none.text')}
        csv={(entries) => ({
          name: 'logs',
          heads: ['id', 'created_at', 'type', 'message', 'metadata'],
          rows: entries.map(({ id, created_at: at, type, message, metadata }) => [
            ...[id, at, type, message, detailsOf(metadata)],
          ]),
        })}
      />
      <SameByApi {...sameCalls.logs(id)} />
    </Page>
  );
}
