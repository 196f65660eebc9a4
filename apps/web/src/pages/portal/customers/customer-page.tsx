import { Group as Beside, Button, Text } from '@mantine/core';
import type { CompanyConnection, CompanyValue } from '@symbolon/protocol';
import { useParams } from '@tanstack/react-router';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { Loaded, LoadedList } from '../../../parts/loaded.tsx';
import { PortalPage } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { ServiceKeyForm } from '../../../parts/portal/service-key-form.tsx';
import { useShownText } from '../../../parts/shown-text.ts';
import { When } from '../../../parts/when.tsx';
import { portalFieldTypes } from '../../../platform/portal/account.ts';
import { answerFileQuery, answersQuery, lockServiceKey, useHasKey } from '../../../platform/portal/copies.ts';
import { customerQuery } from '../../../platform/portal/customers.ts';
import { issuedToQuery } from '../../../platform/portal/issued.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { requestFieldsQuery } from '../../../platform/portal/services.ts';
import { useRead } from '../../../platform/read.ts';
import { isMasked } from '../../../platform/shown-value.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Group } from '../../../ui/group.tsx';
import { List, RowLink } from '../../../ui/list.tsx';
import { BackLink, Page } from '../../../ui/page.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { IssuedBadge } from '../documents/issued-badge.tsx';
import { AnswerFile } from './answer-file.tsx';
import { CustomerMessages } from './customer-messages.tsx';
import { CustomerRuns } from './customer-runs.tsx';
import { CustomerTimeline } from './customer-timeline.tsx';
import { EndConnection } from './end-connection.tsx';

export function CustomerPage() {
  return (
    <PortalPage>
      <Customer />
    </PortalPage>
  );
}

function Customer() {
  const { t } = usePortalText();
  const { serviceId, connectionId } = useParams({
    from: '/portal/services/$serviceId/customers/$connectionId',
  });
  const customer = useRead(customerQuery(serviceId, connectionId));
  return (
    <Loaded of={customer} height={300}>
      {(found) => (
        <Page
          title={found.display_name}
          lead={<Who customer={found} />}
          back={
            <BackLink to="/portal/customers" search={{ service: serviceId }}>
              {t('customers.title')}
            </BackLink>
          }
        >
          <Answers serviceId={serviceId} customer={found} />
          <Documents serviceId={serviceId} userId={found.user_id} />
          <CustomerRuns serviceId={serviceId} connectionId={connectionId} />
          <CustomerTimeline serviceId={serviceId} customer={found} />
          <EndConnection serviceId={serviceId} customer={found} />
        </Page>
      )}
    </Loaded>
  );
}

function Who({ customer }: { customer: CompanyConnection }) {
  const { t } = usePortalText();
  return (
    <>
      {t(`customers.kind.${customer.customer_type}`)}
      {customer.share_code !== null && <> · {customer.share_code}</>} · {t('customers.since')}{' '}
      <When at={customer.connected_at} />
    </>
  );
}

/** What was sent to the customer, and how it stands. */
function Documents({ serviceId, userId }: { serviceId: string; userId: string }) {
  const { t } = usePortalText();
  const documents = useRead(issuedToQuery(serviceId, userId));
  return (
    <Group title={t('documents.title')}>
      <LoadedList
        of={{ ...documents, found: documents.found?.items }}
        none={t('issued.none')}
        noneText={t('issued.toCustomer.none')}
      >
        {(rows) => (
          <List label={t('documents.title')}>
            {rows.map((document) => (
              <RowLink
                key={document.id}
                to="/portal/services/$serviceId/documents/$documentId"
                params={{ serviceId, documentId: document.id }}
                parts={{
                  title: document.name,
                  detail: t(`documents.kind.${document.kind}`),
                  trailing: <IssuedBadge document={document} />,
                }}
              />
            ))}
          </List>
        )}
      </LoadedList>
    </Group>
  );
}

interface Answer {
  readonly id: string;
  readonly slug: string;
  readonly label: string;
  readonly type: string;
  readonly value: CompanyValue | undefined;
}

/** What the customer shares. The values are opened in this browser, and closed again after ten minutes. */
function Answers({ serviceId, customer }: { serviceId: string; customer: CompanyConnection }) {
  const { t } = usePortalText();
  const isOpen = useHasKey(serviceId);
  const rows = useRead(requestFieldsQuery(serviceId));
  const types = useRead(portalFieldTypes);
  const texts = useRead(isOpen ? answersQuery(serviceId, customer) : undefined);
  const answers = (rows.found?.request_fields ?? []).map(({ id, slug, label, type }) => ({
    id,
    slug,
    label,
    type,
    value: customer.values[slug],
  }));
  const shown = useShownText(types.found?.resolved, answers);
  const columns: Column<Answer>[] = [
    { key: 'label', title: t('customer.asked'), cell: ({ label }) => label },
    { key: 'value', title: t('customer.answer'), cell: (answer) => <Shown answer={answer} /> },
    {
      key: 'at',
      title: t('customer.changed'),
      wide: true,
      cell: ({ value }) => value && <When at={value.updated_at} />,
    },
  ];
  return (
    <>
      <Group
        title={t('customer.answers')}
        aside={
          isOpen && (
            <Button variant="default" size="sm" onClick={() => lockServiceKey(serviceId)}>
              {t('customer.lock')}
            </Button>
          )
        }
      >
        <Loaded of={rows} height={200}>
          {() =>
            answers.length === 0 ? (
              <Empty title={t('customer.none')}>{t('customer.none.text')}</Empty>
            ) : (
              <DataTable
                label={t('customer.table')}
                columns={columns}
                rows={answers}
                keyOf={({ slug }) => slug}
              />
            )
          }
        </Loaded>
      </Group>
      {isOpen ? (
        <CustomerMessages key={customer.connection_id} serviceId={serviceId} customer={customer} />
      ) : (
        <ServiceKeyForm serviceId={serviceId} title={t('customer.key')} />
      )}
      <SameByApi {...sameCalls.customerMessages(serviceId, customer.connection_id)} />
    </>
  );

  function Shown({ answer }: { answer: Answer }) {
    const { slug, type, value } = answer;
    if (value === undefined) return <Quiet>{t('customer.unanswered')}</Quiet>;
    if (value.expired) return <Quiet>{t('customer.expired')}</Quiet>;
    if (value.value === undefined)
      return isOpen ? (
        <AnswerFile
          label={answer.label}
          query={(report) => answerFileQuery(serviceId, customer, { rowId: answer.id, slug }, report)}
        />
      ) : (
        <Quiet>{t('customer.file')}</Quiet>
      );
    const text = texts.found?.[slug];
    if (text === undefined) return <Quiet>{t('customer.sealed')}</Quiet>;
    if (text === null) return <Quiet>{t('customer.otherKey')}</Quiet>;
    const resolved = types.found?.resolved.get(type);
    return (
      <Beside gap="xs">
        <Text size="sm">
          <bdi>{shown({ type, text })}</bdi>
        </Text>
        {isMasked(resolved) && <CopyButton value={text} label={t('fields.copy')} />}
        {value.verified_at !== undefined && <Quiet>{t('customer.verified')}</Quiet>}
      </Beside>
    );
  }
}

function Quiet({ children }: { children: string }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}
