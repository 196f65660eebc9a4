import { Text } from '@mantine/core';
import type { Service } from '@symbolon/protocol';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Loaded } from '../../../parts/loaded.tsx';
import { NewServiceButton } from '../../../parts/portal/new-service-button.tsx';
import { PortalPage, usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { TextLink } from '../../../parts/text-link.tsx';
import { When } from '../../../parts/when.tsx';
import {
  happenedQuery,
  LOOKED_AT,
  newCustomersQuery,
  waitingQuery,
} from '../../../platform/portal/overview.ts';
import { services } from '../../../platform/portal/services.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { allWebhooksQuery, type WebhookOfService } from '../../../platform/portal/webhooks.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Bars } from '../../../ui/bars.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Figure, Figures } from '../../../ui/figure.tsx';
import { Group } from '../../../ui/group.tsx';
import { List, RowLink } from '../../../ui/list.tsx';
import { Note } from '../../../ui/note.tsx';
import { Page } from '../../../ui/page.tsx';
import { stateOf } from '../webhooks/state.ts';
import { GoLive } from './go-live.tsx';

export function OverviewPage() {
  return (
    <PortalPage>
      <Overview />
    </PortalPage>
  );
}

/** Is it well, what moved, and what is still to do. */
function Overview() {
  const { t } = usePortalText();
  const list = useRead(services);
  return (
    <Page title={t('overview.title')} lead={t('overview.lead')} aside={<NewServiceButton />}>
      <Loaded of={list} height={180}>
        {(found) => <Sums services={found} />}
      </Loaded>
    </Page>
  );
}

function Sums({ services: found }: { services: readonly Service[] }) {
  const { t } = usePortalText();
  const { found: webhooks } = useRead(allWebhooksQuery(found));
  const { found: waiting } = useRead(waitingQuery(found));
  const failing = webhooks?.filter(({ webhook }) => stateOf(webhook) === 'bad') ?? [];
  const backlog = webhooks?.reduce((sum, { webhook }) => sum + webhook.backlog, 0);
  return (
    <>
      {failing.slice(0, SHOWN_FAILURES).map((each) => (
        <Failing key={each.webhook.id} {...each} />
      ))}
      <Figures>
        <Sum
          title={t('overview.connections')}
          to="/portal/customers"
          of={found.reduce((sum, each) => sum + each.connection_count, 0)}
          detail={t('overview.connections.text')}
        />
        <Sum
          title={t('overview.messages')}
          to="/portal/messages"
          of={waiting?.open}
          detail={t('overview.messages.mine', { count: waiting?.mine ?? 0 })}
        />
        <Sum
          title={t('overview.unsigned')}
          to="/portal/documents"
          of={waiting?.unsigned}
          detail={t('overview.unsigned.text')}
        />
        <Sum title={t('overview.waiting')} to="/portal/webhooks" of={backlog} detail={detailOf()} />
      </Figures>
      {found.length > LOOKED_AT && (
        <Text size="sm" c="dimmed">
          {t('overview.first', { count: LOOKED_AT })}
        </Text>
      )}
      {mayAs(usePortalLogin(), 'developer') && (
        <GoLive services={found} hasWebhook={webhooks?.some(({ webhook }) => webhook.health === 'running')} />
      )}
      {found.some((each) => each.connection_count > 0) && <NewCustomers services={found} />}
      {found.length > 0 && <WhatHappened services={found} />}
    </>
  );

  function detailOf(): string {
    if (webhooks?.length === 0) return t('overview.webhooks.none');
    if (failing.length > 0) return t('webhooks.state.bad');
    return t(backlog ? 'overview.waiting.some' : 'overview.waiting.none');
  }
}

/** A number that leads to what it counts. */
function Sum(props: { title: string; to: string; of: number | undefined; detail: string }) {
  const { title, to, of: sum, detail } = props;
  const { language } = usePortalText();
  return (
    <Figure
      title={
        <TextLink to={to} fz="inherit">
          {title}
        </TextLink>
      }
      value={sum === undefined ? '…' : new Intl.NumberFormat(language).format(sum)}
      detail={detail}
    />
  );
}

/** How many came on each of the last days, as bars. */
function NewCustomers({ services: found }: { services: readonly Service[] }) {
  const { t, count, language } = usePortalText();
  const { found: days } = useRead(newCustomersQuery(found));
  const sum = days?.reduce((all, { connected }) => all + connected, 0) ?? 0;
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  return (
    <Group title={t('overview.new')} lead={days && count('overview.new.sum', sum)}>
      <Bars
        label={count('overview.new.sum', sum)}
        bars={(days ?? []).map(({ day, connected }) => ({
          key: day,
          value: connected,
          tone: 'accent',
          title: `${format.format(new Date(day))}: ${connected}`,
        }))}
      />
    </Group>
  );
}

/** The newest of the logs of services, each with the way to its log. */
function WhatHappened({ services: found }: { services: readonly Service[] }) {
  const { t } = usePortalText();
  const happened = useRead(happenedQuery(found));
  return (
    <Group title={t('overview.happened')}>
      <Loaded of={happened} height={120}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty title={t('overview.happened.none')}>{t('overview.happened.none.text')}</Empty>
          ) : (
            <List label={t('overview.happened')}>
              {entries.map(({ service, entry }) => (
                <RowLink
                  key={entry.id}
                  to="/portal/services/$serviceId/logs"
                  params={{ serviceId: service.id }}
                  parts={{
                    title: entry.message,
                    detail: service.name,
                    trailing: <When at={entry.created_at} />,
                  }}
                />
              ))}
            </List>
          )
        }
      </Loaded>
    </Group>
  );
}

function Failing({ service, webhook }: WebhookOfService) {
  const { t, count } = usePortalText();
  const { id, url, backlog, health_changed_at: since } = webhook;
  return (
    <Note icon={IconAlertTriangle} tone="bad">
      <strong>{t('overview.failing', { url: new URL(url).host })}</strong> <When at={since} />
      {' · '}
      {count('webhooks.backlog', backlog)}
      {' · '}
      <Link
        to="/portal/services/$serviceId/webhooks/$webhookId"
        params={{ serviceId: service.id, webhookId: id }}
      >
        {t('overview.failing.look')}
      </Link>
    </Note>
  );
}

/** More are on the page of webhooks. */
const SHOWN_FAILURES = 3;
