import { Group, Stack, Text } from '@mantine/core';
import type { Webhook } from '@symbolon/protocol';
import { usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { TextLink } from '../../../parts/text-link.tsx';
import { When } from '../../../parts/when.tsx';
import { mayAs } from '../../../platform/portal/session.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Status } from '../../../ui/status.tsx';
import { detailOf, stateOf, TONES } from './state.ts';
import { WebhookActs } from './webhook-acts.tsx';
import classes from './webhook-row.module.css';

/** One webhook: how it stands, and what one can do with it. */
export function WebhookRow({ serviceId, webhook }: { serviceId: string; webhook: Webhook }) {
  const { t } = usePortalText();
  const { url, events, next_probe_at: probe, enabled, paused } = webhook;
  const state = stateOf(webhook);
  return (
    <Stack component="li" gap={6} p="md" className={classes.item}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="start">
        <TextLink
          to="/portal/services/$serviceId/webhooks/$webhookId"
          params={{ serviceId, webhookId: webhook.id }}
          fw={600}
          className={classes.address ?? ''}
        >
          {url}
        </TextLink>
        <Status tone={TONES[state]}>{t(`webhooks.state.${state}`)}</Status>
      </Group>
      <Text size="sm" c="dimmed" className={classes.address}>
        {events.length === 0 ? t('webhooks.events.all') : t('webhooks.events', { names: events.join(', ') })}
      </Text>
      <Waiting webhook={webhook} />
      <LastFailure webhook={webhook} />
      {enabled && !paused && probe !== null && (
        <Text size="sm" c="dimmed">
          {t('webhooks.probe')} <When at={probe} />
        </Text>
      )}
      {mayAs(usePortalLogin(), 'developer') && <WebhookActs serviceId={serviceId} webhook={webhook} />}
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
      className={classes.address}
    >
      {t('webhooks.failed')} <When at={failure.at} />
      {': '}
      {t(`webhooks.failure.${failure.kind}`, { status: failure.status ?? '' })}
      {detail !== undefined && ` (${detail})`}
    </Text>
  );
}
