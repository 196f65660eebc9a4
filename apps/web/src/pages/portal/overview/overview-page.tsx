import type { Service } from '@symbolon/protocol';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Loaded } from '../../../parts/loaded.tsx';
import { NewServiceButton } from '../../../parts/portal/new-service-button.tsx';
import { PortalPage, usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { When } from '../../../parts/when.tsx';
import { services } from '../../../platform/portal/services.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { allWebhooksQuery, type WebhookOfService } from '../../../platform/portal/webhooks.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Figure, Figures } from '../../../ui/figure.tsx';
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
  const { t, language } = usePortalText();
  const { found: webhooks } = useRead(allWebhooksQuery(found));
  const number = new Intl.NumberFormat(language);
  const failing = webhooks?.filter(({ webhook }) => stateOf(webhook) === 'bad') ?? [];
  const waiting = webhooks?.reduce((sum, { webhook }) => sum + webhook.backlog, 0) ?? 0;
  return (
    <>
      {failing.slice(0, SHOWN_FAILURES).map((each) => (
        <Failing key={each.webhook.id} {...each} />
      ))}
      <Figures>
        <Figure
          title={t('overview.connections')}
          value={number.format(found.reduce((sum, each) => sum + each.connection_count, 0))}
          detail={t('overview.connections.text')}
        />
        <Figure
          title={t('overview.waiting')}
          value={webhooks === undefined ? '…' : number.format(waiting)}
          detail={t(waiting === 0 ? 'overview.waiting.none' : 'overview.waiting.some')}
        />
        <Figure
          title={t('overview.webhooks')}
          value={webhooks === undefined ? '…' : number.format(webhooks.length)}
          detail={detailOf()}
        />
        <Figure title={t('overview.services')} value={number.format(found.length)} />
      </Figures>
      {mayAs(usePortalLogin(), 'developer') && (
        <GoLive services={found} hasWebhook={webhooks?.some(({ webhook }) => webhook.health === 'running')} />
      )}
    </>
  );

  function detailOf(): string {
    if (webhooks?.length === 0) return t('overview.webhooks.none');
    return failing.length === 0 ? t('overview.webhooks.well') : t('webhooks.state.bad');
  }
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
