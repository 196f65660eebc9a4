import type { Service } from '@symbolon/protocol';
import { LoadedList } from '../../../parts/loaded.tsx';
import { NewServiceButton } from '../../../parts/portal/new-service-button.tsx';
import { PortalPage } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { TextLink } from '../../../parts/text-link.tsx';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { services } from '../../../platform/portal/services.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Page } from '../../../ui/page.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';

export function ServicesPage() {
  return (
    <PortalPage>
      <Services />
    </PortalPage>
  );
}

function Services() {
  const { t, language } = usePortalText();
  const list = useRead(services);
  const number = new Intl.NumberFormat(language);
  const columns: Column<Service>[] = [
    {
      key: 'name',
      title: t('portal.service.name'),
      cell: ({ id, name }) => (
        <TextLink to="/portal/services/$serviceId" params={{ serviceId: id }} fw={600}>
          {name}
        </TextLink>
      ),
    },
    {
      key: 'code',
      title: t('portal.service.code'),
      cell: ({ company_code: company, share_code: code }) => `${company}/${code}`,
    },
    {
      key: 'audience',
      title: t('settings.audience'),
      wide: true,
      cell: ({ audience }) => t(`settings.audience.${audience}`),
    },
    {
      key: 'connections',
      title: t('portal.service.connections'),
      end: true,
      cell: ({ connection_count: count }) => number.format(count),
    },
  ];
  return (
    <Page title={t('portal.services')} lead={t('portal.services.lead')} aside={<NewServiceButton />}>
      <LoadedList
        of={list}
        none={t('portal.services.none')}
        noneText={t('portal.services.none.text')}
        height={180}
      >
        {(found) => (
          <DataTable label={t('portal.services')} columns={columns} rows={found} keyOf={({ id }) => id} />
        )}
      </LoadedList>
      <SameByApi {...sameCalls.services} />
    </Page>
  );
}
