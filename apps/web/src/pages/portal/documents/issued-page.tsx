import { Button, Group, NativeSelect } from '@mantine/core';
import type { Document, DocumentStatus, Service } from '@symbolon/protocol';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Loaded, LoadedList } from '../../../parts/loaded.tsx';
import { ChooseService } from '../../../parts/portal/choose-service.tsx';
import { NewerOlder } from '../../../parts/portal/pager.tsx';
import { PortalPage, usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { shownOf } from '../../../parts/portal/service-page.tsx';
import { TextLink } from '../../../parts/text-link.tsx';
import { When } from '../../../parts/when.tsx';
import { ISSUED_PAGE, ISSUED_STATUSES, issuedCounts, issuedQuery } from '../../../platform/portal/issued.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { services } from '../../../platform/portal/services.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Figure, Figures } from '../../../ui/figure.tsx';
import { Page } from '../../../ui/page.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { IssuedBadge } from './issued-badge.tsx';
import { IssuedTo } from './issued-to.tsx';

export function IssuedPage() {
  return (
    <PortalPage>
      <Issued />
    </PortalPage>
  );
}

/** What the company has sent, service by service. */
function Issued() {
  const { t } = usePortalText();
  const list = useRead(services);
  return (
    <Page title={t('documents.title')} lead={t('issued.lead')}>
      <LoadedList of={list} none={t('access.none')} noneText={t('access.none.text')} height={300}>
        {(found) => <OfServices found={found} />}
      </LoadedList>
    </Page>
  );
}

/** The service and the state stand in the address. */
function OfServices({ found }: { found: readonly Service[] }) {
  const { t } = usePortalText();
  const session = usePortalLogin();
  const { service: wanted, status: asked } = useSearch({ from: '/portal/documents' });
  const navigate = useNavigate();
  const service = shownOf(found, wanted);
  if (service === undefined) return null;
  const status = ISSUED_STATUSES.find((each) => each === asked);
  const go = (search: { service: string; status?: string }) =>
    navigate({ to: '/portal/documents', search, replace: true });
  return (
    <>
      <Group align="end" justify="space-between">
        <Group align="end">
          <ChooseService found={found} chosen={service} choose={(id) => go({ service: id })} />
          <NativeSelect
            size="md"
            label={t('flows.state')}
            autoComplete="off"
            data={[
              { value: '', label: t('issued.all') },
              ...ISSUED_STATUSES.map((value) => ({ value, label: t(`issued.status.${value}`) })),
            ]}
            value={status ?? ''}
            onChange={({ currentTarget: { value } }) =>
              go({ service: service.id, ...(value !== '' && { status: value }) })
            }
          />
        </Group>
        <Group>
          {mayAs(session, 'support') && (
            <Button
              variant="default"
              renderRoot={(props) => (
                <Link
                  to="/portal/services/$serviceId/documents/remind"
                  params={{ serviceId: service.id }}
                  {...props}
                />
              )}
            >
              {t('reminding.title')}
            </Button>
          )}
          {mayAs(session, 'developer') && (
            <Button
              renderRoot={(props) => (
                <Link
                  to="/portal/services/$serviceId/documents/new"
                  params={{ serviceId: service.id }}
                  {...props}
                />
              )}
            >
              {t('issued.send')}
            </Button>
          )}
        </Group>
      </Group>
      <Counts serviceId={service.id} />
      <Table key={`${service.id} ${status}`} serviceId={service.id} status={status} />
      <SameByApi {...sameCalls.issued(service.id)} />
    </>
  );
}

/** States at a glance: those that some document has. */
function Counts({ serviceId }: { serviceId: string }) {
  const { t } = usePortalText();
  const counts = useRead(issuedCounts(serviceId));
  return (
    <Loaded of={counts} height={72}>
      {(found) => {
        const some = found.filter(([, count]) => count > 0);
        return (
          some.length > 0 && (
            <Figures>
              {some.map(([status, count]) => (
                <Figure key={status} title={t(`issued.status.${status}`)} value={count} />
              ))}
            </Figures>
          )
        );
      }}
    </Loaded>
  );
}

function Table({ serviceId, status }: { serviceId: string; status: DocumentStatus | undefined }) {
  const { t } = usePortalText();
  const [offset, setOffset] = useState(0);
  const list = useRead(issuedQuery(serviceId, { status, offset }));
  const { total = 0, customers } = list.found ?? {};
  const columns: Column<Document>[] = [
    {
      key: 'customer',
      title: t('issued.customer'),
      cell: (document) => <IssuedTo serviceId={serviceId} document={document} customers={customers} />,
    },
    {
      key: 'name',
      title: t('issued.name'),
      cell: ({ id, name }) => (
        <TextLink
          to="/portal/services/$serviceId/documents/$documentId"
          params={{ serviceId, documentId: id }}
        >
          {name}
        </TextLink>
      ),
    },
    { key: 'kind', title: t('customers.kind'), wide: true, cell: ({ kind }) => t(`documents.kind.${kind}`) },
    { key: 'state', title: t('flows.state'), cell: (document) => <IssuedBadge document={document} /> },
    { key: 'since', title: t('issued.since'), wide: true, cell: (row) => <When at={row.updated_at} /> },
  ];
  return (
    <LoadedList
      of={{ ...list, found: list.found?.items }}
      none={status === undefined ? t('issued.none') : t('issued.none.found')}
      noneText={status === undefined ? t('issued.none.text') : t('issued.none.found.text')}
      height={300}
    >
      {(rows) => (
        <>
          <DataTable label={t('documents.title')} columns={columns} rows={rows} keyOf={({ id }) => id} />
          <NewerOlder
            {...(offset > 0 && { newer: () => setOffset(offset - ISSUED_PAGE) })}
            {...(offset + ISSUED_PAGE < total && { older: () => setOffset(offset + ISSUED_PAGE) })}
          />
        </>
      )}
    </LoadedList>
  );
}
