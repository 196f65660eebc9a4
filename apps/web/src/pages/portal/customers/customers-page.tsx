import { Group } from '@mantine/core';
import type { Service, ServiceCustomer } from '@symbolon/protocol';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { LoadedList } from '../../../parts/loaded.tsx';
import { ChooseService } from '../../../parts/portal/choose-service.tsx';
import { EndlessList } from '../../../parts/portal/endless-list.tsx';
import { PortalPage } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { TextLink } from '../../../parts/text-link.tsx';
import { When } from '../../../parts/when.tsx';
import { customersSoFar } from '../../../platform/portal/customers.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { services } from '../../../platform/portal/services.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Page } from '../../../ui/page.tsx';
import { Search } from '../../../ui/search.tsx';
import type { Column } from '../../../ui/table.tsx';
import { KeptViews } from './kept-views.tsx';

export function CustomersPage() {
  return (
    <PortalPage>
      <Customers />
    </PortalPage>
  );
}

/** Who is connected, service by service. */
function Customers() {
  const { t } = usePortalText();
  const list = useRead(services);
  return (
    <Page title={t('customers.title')} lead={t('customers.lead')}>
      <LoadedList of={list} none={t('access.none')} noneText={t('access.none.text')} height={300}>
        {(found) => <OfServices found={found} />}
      </LoadedList>
    </Page>
  );
}

/** The service and what is searched for stand in the address. */
function OfServices({ found }: { found: readonly Service[] }) {
  const { t } = usePortalText();
  const { service: wanted, q = '' } = useSearch({ from: '/portal/customers' });
  const navigate = useNavigate();
  const service = found.find(({ id }) => id === wanted) ?? found[0];
  if (service === undefined) return null;
  const go = (search: { service: string; q?: string }) =>
    navigate({ to: '/portal/customers', search, replace: true });
  return (
    <>
      <Group align="end">
        <ChooseService found={found} chosen={service} choose={(id) => go({ service: id })} />
        <Search
          label={t('customers.search')}
          value={q}
          change={(next) => go({ service: service.id, ...(next !== '' && { q: next }) })}
        />
      </Group>
      <KeptViews now={{ service: service.id, q }} found={found} />
      <Table key={`${service.id} ${q}`} serviceId={service.id} q={q} />
      <SameByApi {...sameCalls.customers(service.id)} />
    </>
  );
}

function Table({ serviceId, q }: { serviceId: string; q: string }) {
  const { t, count } = usePortalText();
  return (
    <EndlessList
      label={t('customers.title')}
      list={customersSoFar(serviceId, q)}
      columns={useColumns(serviceId)}
      none={q === '' ? t('customers.none') : t('customers.none.found')}
      noneText={q === '' ? t('customers.none.text') : t('customers.none.found.text')}
      told={(rows, hasMore) => count(hasMore ? 'customers.soFar' : 'customers.count', rows)}
      csv={(rows) => ({
        name: 'customers',
        heads: ['connection_id', 'name', 'kind', 'share_code', 'connected_at'],
        rows: rows.map((row) => [
          ...[row.connection_id, row.display_name, row.customer_type],
          ...[row.share_code ?? '', row.connected_at],
        ]),
      })}
    />
  );
}

/** What a row says of a customer. */
function useColumns(serviceId: string): Column<ServiceCustomer>[] {
  const { t } = usePortalText();
  return [
    {
      key: 'name',
      title: t('customers.name'),
      cell: ({ connection_id: connectionId, display_name: name }, tabIndex) => (
        <TextLink
          to="/portal/services/$serviceId/customers/$connectionId"
          params={{ serviceId, connectionId }}
          tabIndex={tabIndex}
          title={name}
        >
          {name}
        </TextLink>
      ),
    },
    { key: 'kind', title: t('customers.kind'), cell: (row) => t(`customers.kind.${row.customer_type}`) },
    { key: 'code', title: t('customers.code'), wide: true, cell: (row) => row.share_code ?? '' },
    { key: 'since', title: t('customers.since'), cell: (row) => <When at={row.connected_at} /> },
  ];
}
