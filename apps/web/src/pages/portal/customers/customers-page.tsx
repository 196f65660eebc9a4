import { Button, Group, Text } from '@mantine/core';
import type { Service, ServiceCustomer } from '@symbolon/protocol';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { LoadedList } from '../../../parts/loaded.tsx';
import { ChooseService } from '../../../parts/portal/choose-service.tsx';
import { PortalPage } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { SaveCsv } from '../../../parts/portal/save-csv.tsx';
import { usePlace } from '../../../parts/portal/use-place.ts';
import { Problem, useAct } from '../../../parts/problem.tsx';
import { TextLink } from '../../../parts/text-link.tsx';
import { When } from '../../../parts/when.tsx';
import {
  customersBefore,
  customersSoFarQuery,
  endsBefore,
  withOlder,
} from '../../../platform/portal/customers.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { services } from '../../../platform/portal/services.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { EndlessTable } from '../../../ui/endless-table.tsx';
import { Page } from '../../../ui/page.tsx';
import { resting } from '../../../ui/resting.ts';
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

/** All of them in one table: what follows is read from where the last one stands, when one comes near it. */
function Table({ serviceId, q }: { serviceId: string; q: string }) {
  const { t, count } = usePortalText();
  const columns = useColumns(serviceId);
  const { from, keep } = usePlace();
  const list = useRead(customersSoFarQuery(serviceId, { q, until: from.id }));
  // One comes back from a customer who stands further down than is known.
  const found = list.found && endsBefore(list.found, from.id) ? undefined : list.found;
  const { error, run } = useAct();
  const next = found?.next ?? undefined;
  const [asked, setAsked] = useState<string>();
  /** Until the rows are shown: they come a moment after their call. */
  const isHeld = next !== undefined && asked === next;
  const more = () => {
    setAsked(next);
    run(async () => {
      const older = await customersBefore(serviceId, { q, before: next ?? '' });
      list.change((before) => (before?.next === next ? before && withOlder(before, older) : before));
    });
  };
  return (
    <LoadedList
      of={{ ...list, found: found?.customers }}
      none={q === '' ? t('customers.none') : t('customers.none.found')}
      noneText={q === '' ? t('customers.none.text') : t('customers.none.found.text')}
      height={300}
    >
      {(rows) => (
        <>
          <EndlessTable
            label={t('customers.title')}
            columns={columns}
            rows={rows}
            keyOf={({ connection_id: id }) => id}
            more={next === undefined ? undefined : more}
            isHeld={isHeld}
            from={from}
            keep={keep}
          />
          <Problem error={error} retry={more} />
          <Group justify="space-between">
            <Text size="sm" c="dimmed" role="status">
              {count(next ? 'customers.soFar' : 'customers.count', rows.length)}
            </Text>
            {next && error === undefined && (
              <Button variant="default" size="sm" {...resting(isHeld, more)}>
                {t('customers.more')}
              </Button>
            )}
          </Group>
          <SaveCsv
            name="customers"
            heads={['connection_id', 'name', 'kind', 'share_code', 'connected_at']}
            rows={rows.map((row) => [
              ...[row.connection_id, row.display_name, row.customer_type],
              ...[row.share_code ?? '', row.connected_at],
            ])}
          />
        </>
      )}
    </LoadedList>
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
