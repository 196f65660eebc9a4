import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core';
import type { Webhook, WebhookTest } from '@symbolon/protocol';
import { useState } from 'react';
import { LoadedList } from '../../../parts/loaded.tsx';
import { usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { Problem, useAct } from '../../../parts/problem.tsx';
import rows from '../../../parts/rows.module.css';
import { Section } from '../../../parts/section.tsx';
import { When } from '../../../parts/when.tsx';
import { mayAs } from '../../../platform/portal/session.ts';
import { testWebhook, webhooksQuery } from '../../../platform/portal/webhooks.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { detailOf, stateOf } from './state.ts';

/** The webhooks of a service: how each stands, what waits for it, and why its last delivery that failed did. */
export function WebhooksSection({ serviceId }: { serviceId: string }) {
  const { t } = usePortalText();
  const list = useRead(webhooksQuery(serviceId));
  return (
    <Section title={t('webhooks.title')} lead={t('webhooks.lead')}>
      <LoadedList of={list} none={t('webhooks.none')} noneText={t('webhooks.none.text')}>
        {(found) => (
          <ul className={rows.rows} aria-label={t('webhooks.title')}>
            {found.map((webhook) => (
              <Row key={webhook.id} serviceId={serviceId} webhook={webhook} />
            ))}
          </ul>
        )}
      </LoadedList>
    </Section>
  );
}

const COLOURS = { running: 'teal', bad: 'red', unknown: 'gray', off: 'gray' };

function Row({ serviceId, webhook }: { serviceId: string; webhook: Webhook }) {
  const { t } = usePortalText();
  const { url, events, next_probe_at: probe, enabled } = webhook;
  const state = stateOf(webhook);
  return (
    <Stack component="li" gap={6} p="md">
      <Group justify="space-between" gap="xs" wrap="nowrap" align="start">
        <Text fw={600} className={rows.name}>
          {url}
        </Text>
        <Badge color={COLOURS[state]} variant="light" tt="none" miw="fit-content">
          {t(`webhooks.state.${state}`)}
        </Badge>
      </Group>
      <Text size="sm" c="dimmed" className={rows.name}>
        {events.length === 0 ? t('webhooks.events.all') : t('webhooks.events', { names: events.join(', ') })}
      </Text>
      <Waiting webhook={webhook} />
      <LastFailure webhook={webhook} />
      {enabled && probe !== null && (
        <Text size="sm" c="dimmed">
          {t('webhooks.probe')} <When at={probe} />
        </Text>
      )}
      {mayAs(usePortalLogin(), 'developer') && <Test serviceId={serviceId} webhook={webhook} />}
    </Stack>
  );
}

function Waiting({ webhook: { backlog, oldest_backlog_at: oldest } }: { webhook: Webhook }) {
  const { t, count } = usePortalText();
  return (
    <Text size="sm" c="dimmed">
      {backlog === 0 ? t('webhooks.backlog.none') : count('webhooks.backlog', backlog)}
      {oldest !== null && (
        <>
          {' · '}
          {t('webhooks.backlog.oldest')} <When at={oldest} />
        </>
      )}
    </Text>
  );
}

/** It stays when the webhook runs again. */
function LastFailure({ webhook }: { webhook: Webhook }) {
  const { t } = usePortalText();
  const failure = webhook.last_failure;
  if (failure === null) return null;
  const detail = detailOf(failure);
  return (
    <Text
      size="sm"
      c={stateOf(webhook) === 'bad' ? 'var(--mantine-color-error)' : 'dimmed'}
      className={rows.name}
    >
      {t('webhooks.failed')} <When at={failure.at} />
      {': '}
      {t(`webhooks.failure.${failure.kind}`, { status: failure.status ?? '' })}
      {detail !== undefined && ` (${detail})`}
    </Text>
  );
}

/** Sends an example event, and says what became of it. */
function Test({ serviceId, webhook: { id, url } }: { serviceId: string; webhook: Webhook }) {
  const { t } = usePortalText();
  const { busy, error, run } = useAct();
  const [result, setResult] = useState<WebhookTest>();
  const send = () =>
    run(async () => {
      setResult(undefined);
      setResult(await testWebhook(serviceId, id));
    });
  return (
    <>
      <Group>
        <Button
          variant="default"
          size="sm"
          loading={busy}
          aria-label={t('webhooks.test.name', { url })}
          onClick={send}
        >
          {t('webhooks.test')}
        </Button>
      </Group>
      <Problem error={error} />
      {result !== undefined && (
        <Alert role="status" variant="light" color={result.delivered ? 'teal' : 'red'}>
          {result.delivered
            ? t('webhooks.test.delivered', { ms: result.duration_ms })
            : t('webhooks.test.failed', { reason: result.reason ?? '' })}
        </Alert>
      )}
    </>
  );
}
