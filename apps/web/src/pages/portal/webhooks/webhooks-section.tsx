import { Text } from '@mantine/core';
import { LoadedList } from '../../../parts/loaded.tsx';
import { webhooksQuery } from '../../../platform/portal/webhooks.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Group } from '../../../ui/group.tsx';
import { List } from '../../../ui/list.tsx';
import { WebhookRow } from './webhook-row.tsx';

/** The webhooks of a service: how each stands, what waits for it, and why its last delivery that failed did. */
export function WebhooksSection({ serviceId }: { serviceId: string }) {
  const { t } = usePortalText();
  const list = useRead(webhooksQuery(serviceId));
  return (
    <Group title={t('webhooks.title')}>
      <Text size="sm" c="dimmed" mb="xs">
        {t('webhooks.lead')}
      </Text>
      <LoadedList of={list} none={t('webhooks.none')} noneText={t('webhooks.none.text')}>
        {(found) => (
          <List label={t('webhooks.title')}>
            {found.map((webhook) => (
              <WebhookRow key={webhook.id} serviceId={serviceId} webhook={webhook} />
            ))}
          </List>
        )}
      </LoadedList>
    </Group>
  );
}
