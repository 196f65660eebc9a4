import { Group } from '@mantine/core';
import type { Service, ServiceCustomer } from '@symbolon/protocol';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { Loaded, LoadedList } from '../../../parts/loaded.tsx';
import { ChooseService } from '../../../parts/portal/choose-service.tsx';
import { EndlessList } from '../../../parts/portal/endless-list.tsx';
import { PortalPage } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { shownOf } from '../../../parts/portal/service-page.tsx';
import { TextLink } from '../../../parts/text-link.tsx';
import { When } from '../../../parts/when.tsx';
import {
  ANY_REQUIRED,
  type CustomersWanted,
  customersSoFar,
  missingOf,
} from '../../../platform/portal/customers.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { requestFieldsQuery, services } from '../../../platform/portal/services.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Page } from '../../../ui/page.tsx';
import type { Column } from '../../../ui/table.tsx';
import { CustomerFilters, KINDS, LeaveOut } from './customer-filters.tsx';
import { addressOf, type CustomersSearch, KeptViews } from './kept-views.tsx';

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
  const { service: wanted, q, kind, missing } = useSearch({ from: '/portal/customers' });
  const service = shownOf(found, wanted);
  if (service === undefined) return null;
  const now = { service: service.id, q, kind: KINDS.find((each) => each === kind), missing };
  return <OfService found={found} service={service} now={now} />;
}

function OfService({
  found,
  service,
  now,
}: {
  found: readonly Service[];
  service: Service;
  now: CustomersSearch;
}) {
  const { t } = usePortalText();
  const navigate = useNavigate();
  const go = (search: CustomersSearch) =>
    navigate({ to: '/portal/customers', search: addressOf(search), replace: true });
  const fields = useRead(requestFieldsQuery(service.id));
  const rows = fields.found?.request_fields;
  const filtering = {
    wanted: now,
    rows,
    change: (next: CustomersWanted) => go({ ...next, service: service.id }),
  };
  const isAsked =
    !now.missing || now.missing === ANY_REQUIRED || rows?.some((row) => missingOf(row) === now.missing);
  return (
    <>
      <Group align="end">
        <ChooseService found={found} chosen={service} choose={(id) => go({ service: id })} />
        <CustomerFilters {...filtering} />
      </Group>
      <TextLink to="/portal/customers/asking" search={{ service: service.id }} size="sm">
        {t('asking.title')}
      </TextLink>
      <KeptViews now={now} found={found} />
      {isAsked ? (
        <Table key={JSON.stringify(addressOf(now))} serviceId={service.id} {...filtering} />
      ) : (
        <Loaded of={fields} height={300}>
          {() => (
            <Empty title={t('customers.missing.gone')} act={<LeaveOut {...filtering} />}>
              {t('customers.missing.gone.text')}
            </Empty>
          )}
        </Loaded>
      )}
      <SameByApi {...sameCalls.customers(service.id)} />
    </>
  );
}

function Table({ serviceId, ...filtering }: { serviceId: string } & ComponentProps<typeof LeaveOut>) {
  const { t, count } = usePortalText();
  const { q, kind, missing } = filtering.wanted;
  const isFiltered = Boolean(kind || missing);
  const isAll = !q && !isFiltered;
  return (
    <EndlessList
      label={t('customers.title')}
      list={customersSoFar(serviceId, filtering.wanted)}
      columns={useColumns(serviceId)}
      none={isAll ? t('customers.none') : t('customers.none.found')}
      noneText={
        isAll
          ? t('customers.none.text')
          : t(isFiltered ? 'customers.none.fits.text' : 'customers.none.found.text')
      }
      noneAct={!isAll && <LeaveOut {...filtering} />}
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
