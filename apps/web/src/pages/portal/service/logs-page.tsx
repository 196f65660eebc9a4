import { Checkbox, Group, NativeSelect } from '@mantine/core';
import type { LogEntry, LogTypeName, Service } from '@symbolon/protocol';
import { LogType } from '@symbolon/protocol/constants';
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
const TYPES = Object.values(LogType);

export function LogsPage() {
  return <ServiceFrame>{(service) => <Logs key={service.id} service={service} />}</ServiceFrame>;
}

/** What the platform did for a service, and what was changed at it. */
function Logs({ service: { id, name } }: { service: Service }) {
  const { t } = usePortalText();
  const { live, type: asked } = useSearch({ from: HERE });
  const type = TYPES.find((each) => each === asked);
  const navigate = useNavigate();
  const go = (search: { live: string | undefined; type: string | undefined }) =>
    navigate({ to: HERE, params: { serviceId: id }, search, replace: true });
  const typeOf = (entry: LogEntry) => t(`logs.type.${entry.type as LogTypeName}`);
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
      <Group align="end">
        <NativeSelect
          label={t('logs.type')}
          autoComplete="off"
          data={[
            { value: '', label: t('logs.type.all') },
            ...TYPES.map((value) => ({ value, label: t(`logs.type.${value}`) })),
          ]}
          value={type ?? ''}
          onChange={({ currentTarget: { value } }) => go({ live, type: value || undefined })}
        />
        <Checkbox
          label={t('logs.live')}
          checked={live !== undefined}
          onChange={({ currentTarget: { checked } }) => go({ live: checked ? 'yes' : undefined, type })}
        />
      </Group>
      <LogList
        key={type}
        label={t('logs.title')}
        list={serviceLog(id, { isLive: live !== undefined, type })}
        what={({ message }) => message}
        others={[
          { key: 'when', title: t('audit.when'), cell: (entry) => <When at={entry.created_at} /> },
          { key: 'type', title: t('logs.type'), cell: typeOf },
          { key: 'more', title: t('audit.details'), wide: true, cell: ({ metadata }) => detailsOf(metadata) },
        ]}
        {...(type === undefined
          ? { noneText: t('logs.none.text') }
          : { none: t('logs.none.found'), noneText: t('logs.none.found.text') })}
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
