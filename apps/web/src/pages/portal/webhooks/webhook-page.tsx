import { Group as Beside, Button, Text } from '@mantine/core';
import type { Webhook, WebhookAttempt } from '@symbolon/protocol';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Loaded } from '../../../parts/loaded.tsx';
import { PortalPage, usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { Clock, When } from '../../../parts/when.tsx';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { attemptsQuery, webhookQuery } from '../../../platform/portal/webhooks.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Bars } from '../../../ui/bars.tsx';
import { Figure, Figures } from '../../../ui/figure.tsx';
import { BackLink, Page } from '../../../ui/page.tsx';
import { Status } from '../../../ui/status.tsx';
import { AttemptList } from './attempt-list.tsx';
import { EditWebhookSheet } from './edit-webhook-sheet.tsx';
import { SecretPart } from './secret-part.tsx';
import { SentNext } from './sent-next.tsx';
import type { ShownAttempts } from './shown.ts';
import { stateOf, TONES } from './state.ts';
import { summaryOf } from './summary.ts';
import {
  type Acts,
  DeleteButton,
  PauseButton,
  SendButton,
  ToggleButton,
  TryButton,
  useWebhookActs,
  WhatCame,
} from './webhook-acts.tsx';

export function WebhookPage() {
  return (
    <PortalPage>
      <OneWebhook />
    </PortalPage>
  );
}

const HERE = '/portal/services/$serviceId/webhooks/$webhookId';

/** One webhook: how it stands, what became of its latest deliveries, and what is sent next. */
function OneWebhook() {
  const { serviceId, webhookId } = useParams({ from: HERE });
  const webhook = useRead(webhookQuery(serviceId, webhookId));
  return (
    <Loaded of={webhook} height={300}>
      {(found) => <Whole serviceId={serviceId} webhook={found} />}
    </Loaded>
  );
}

function Whole({ serviceId, webhook }: { serviceId: string; webhook: Webhook }) {
  const { t } = usePortalText();
  const { id, url } = webhook;
  const attempts = useRead(attemptsQuery(serviceId, id));
  const shown = useSearch({ from: HERE });
  const mayEdit = mayAs(usePortalLogin(), 'developer');
  const navigate = useNavigate();
  const acts = useWebhookActs(serviceId, webhook, () => navigate({ to: '/portal/webhooks' }));
  const show = (search: ShownAttempts) =>
    navigate({ to: HERE, params: { serviceId, webhookId: id }, search, replace: true, resetScroll: false });
  const state = stateOf(webhook);
  return (
    <Page
      title={url.replace(/^https?:\/\//, '')}
      about={id}
      status={<Status tone={TONES[state]}>{t(`webhooks.state.${state}`)}</Status>}
      lead={<How {...webhook} />}
      back={<BackLink to="/portal/webhooks">{t('webhook.back')}</BackLink>}
      aside={
        mayEdit && (
          <Beside gap="xs">
            <SendButton {...acts} />
            <TryButton {...acts} />
          </Beside>
        )
      }
    >
      <Health {...webhook} />
      {mayEdit && <Configure serviceId={serviceId} acts={acts} />}
      <Numbers webhook={webhook} attempts={attempts.found ?? []} />
      <Times attempts={attempts.found ?? []} />
      <Loaded of={attempts} height={240}>
        {(found) => <AttemptList attempts={found} shown={shown} show={show} />}
      </Loaded>
      <SentNext serviceId={serviceId} webhook={webhook} />
      {mayEdit && webhook.auth_type === 'hmac' && <SecretPart serviceId={serviceId} webhook={webhook} />}
      <SameByApi {...sameCalls.attempts(serviceId, id)} />
    </Page>
  );
}

/** What came of the acts in the head of the page, and those that change the webhook. */
function Configure({ serviceId, acts }: { serviceId: string; acts: Acts }) {
  const { t } = usePortalText();
  const [isEditing, setIsEditing] = useState(false);
  return (
    <>
      <WhatCame {...acts} />
      <Beside gap="xs">
        <Button variant="default" size="sm" onClick={() => setIsEditing(true)}>
          {t('webhook.edit')}
        </Button>
        <PauseButton {...acts} />
        <ToggleButton {...acts} />
        <DeleteButton {...acts} />
      </Beside>
      {isEditing && (
        <EditWebhookSheet serviceId={serviceId} webhook={acts.webhook} close={() => setIsEditing(false)} />
      )}
    </>
  );
}

function How({ format, auth_type: auth, encrypt_payload: isWrapped, events }: Webhook) {
  const { t } = usePortalText();
  const how = t('webhook.sent', { format: format.toUpperCase(), auth: t(`webhooks.auth.${auth}`) });
  const which =
    events.length === 0 ? t('webhooks.events.all') : t('webhooks.events', { names: events.join(', ') });
  return [how, ...(isWrapped ? [t('webhook.envelope')] : []), which].join(' · ');
}

function Health(webhook: Webhook) {
  const { t } = usePortalText();
  const { health_changed_at: since } = webhook;
  const state = stateOf(webhook);
  return (
    <Text size="sm" component="section" aria-label={t('webhook.health')}>
      {state === 'paused' && <Held {...webhook} />} {t(`webhook.says.${state}`)}{' '}
      {(state === 'bad' || state === 'running') && (
        <Text span c="dimmed">
          {t('webhook.since')} <When at={since} />.
        </Text>
      )}
    </Text>
  );
}

/** How many events are held, and since when. */
function Held({ backlog, oldest_backlog_at: oldest }: Webhook) {
  const { t, count } = usePortalText();
  if (oldest === null) return t('webhook.held.none');
  return (
    <>
      {count('webhook.held', backlog)} <Clock at={oldest} />.
    </>
  );
}

/** How long each of the latest deliveries took, the oldest first, and which of them failed. */
function Times({ attempts }: { attempts: readonly WebhookAttempt[] }) {
  const { t, language } = usePortalText();
  const { count, answered } = summaryOf(attempts);
  if (count < FEWEST_BARS) return null;
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });
  const number = new Intl.NumberFormat(language);
  return (
    <Bars
      label={t('webhook.times', { failed: count - answered, count })}
      bars={attempts
        .filter(({ test }) => !test)
        .toReversed()
        .map(({ id, at, delivered, duration_ms: ms }) => ({
          key: id,
          value: ms,
          tone: delivered ? 'accent' : 'bad',
          title: `${format.format(new Date(at))} · ${t('webhook.ms', { ms: number.format(ms) })}`,
        }))}
    />
  );
}

/** Fewer say nothing that the list below does not. */
const FEWEST_BARS = 3;

function Numbers({ webhook, attempts }: { webhook: Webhook; attempts: readonly WebhookAttempt[] }) {
  const { t, language } = usePortalText();
  const { backlog, oldest_backlog_at: oldest, next_probe_at: probe } = webhook;
  const state = stateOf(webhook);
  const isSilent = state === 'off' || state === 'paused';
  const { count, answered, median, slow } = summaryOf(attempts);
  const number = new Intl.NumberFormat(language);
  const share = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  return (
    <Figures>
      <Figure
        title={t('webhook.waiting')}
        value={number.format(backlog)}
        detail={
          oldest === null ? (
            t('webhook.waiting.none')
          ) : (
            <>
              {t('webhook.waiting.oldest')} <When at={oldest} />
            </>
          )
        }
      />
      <Figure
        title={t('webhook.answered')}
        value={count === 0 ? '–' : share.format(answered / count)}
        detail={t('webhook.answered.of', { answered, count })}
      />
      <Figure
        title={t('webhook.time')}
        value={median === undefined ? '–' : t('webhook.ms', { ms: number.format(median) })}
        detail={slow === undefined ? undefined : t('webhook.time.slow', { ms: number.format(slow) })}
      />
      <Figure
        title={t('webhook.next')}
        value={!isSilent && probe !== null ? <When at={probe} /> : '–'}
        detail={nextDetail()}
      />
    </Figures>
  );

  function nextDetail() {
    if (isSilent) return t(`webhook.next.${state}`);
    return t(probe === null ? 'webhook.next.none' : 'webhook.next.every');
  }
}
