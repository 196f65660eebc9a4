import { Text } from '@mantine/core';
import type { Service } from '@symbolon/protocol';
import { TextLink } from '../../../parts/text-link.tsx';
import { delegatesQuery } from '../../../platform/portal/account.ts';
import { raisedQuery } from '../../../platform/portal/logs.ts';
import { dataClientQuery, requestFieldsQuery } from '../../../platform/portal/services.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Group } from '../../../ui/group.tsx';
import { type Step, Steps } from '../../../ui/steps.tsx';

/** The steps of a new account, as they are seen in what the account has. It goes when all are done. */
export function GoLive({
  services,
  hasWebhook,
}: {
  services: readonly Service[];
  hasWebhook: boolean | undefined;
}) {
  const { t } = usePortalText();
  // The oldest: the one that the account began with.
  const first = services.toSorted((one, other) => one.created_at.localeCompare(other.created_at))[0];
  const asks = useRead(first && requestFieldsQuery(first.id)).found;
  const client = useRead(first && dataClientQuery(first.id)).found;
  const delegates = useRead(delegatesQuery).found;
  // Before there is a customer there is no event.
  const isConnected = first !== undefined && first.connection_count > 0;
  const raised = useRead(isConnected ? raisedQuery(first.id) : undefined).found;
  const isKnown =
    hasWebhook !== undefined &&
    delegates !== undefined &&
    (!first || (asks && client !== undefined && (raised !== undefined || !isConnected)));
  if (!isKnown) return null;
  // Events are kept for a day. Who has a webhook has seen some.
  const hasSeenEvent = hasWebhook === true || (raised ?? 0) > 0;
  const service = first?.name ?? t('overview.live.yours');
  const link = (title: string, to: string) => <TextLink to={to}>{title}</TextLink>;
  const at = first ? `/portal/services/${first.id}` : '/portal/services/new';
  const steps: Step[] = [
    step('service', first !== undefined, t('overview.live.service'), '/portal/services/new'),
    step(
      'asks',
      (asks?.request_fields.length ?? 0) > 0,
      t('overview.live.asks', { service }),
      first ? `${at}/asks` : at,
    ),
    step(
      'client',
      client !== null && client !== undefined,
      t('overview.live.client', { service }),
      '/portal/access',
    ),
    step('person', isConnected, t('overview.live.person'), first ? `${at}/code` : at),
    step('event', hasSeenEvent, t('overview.live.event'), first ? `${at}/events` : at),
    step('webhook', hasWebhook, t('overview.live.webhook'), '/portal/webhooks'),
    step('team', delegates.length > 1, t('overview.live.team'), '/portal/team'),
  ];
  if (steps.every(({ isDone }) => isDone)) return null;
  return (
    <Group title={t('overview.live')}>
      <Text size="sm" c="dimmed" mb="xs">
        {t('overview.live.lead')}
      </Text>
      <Steps label={t('overview.live')} done={t('overview.live.done')} steps={steps} />
    </Group>
  );

  function step(key: string, isDone: boolean, title: string, to: string): Step {
    return { key, isDone, title: isDone ? title : link(title, to) };
  }
}
