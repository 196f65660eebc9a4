import { Button } from '@mantine/core';
import type { Service } from '@symbolon/protocol';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Loaded, LoadedList } from '../../../parts/loaded.tsx';
import { PortalPage, usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { services } from '../../../platform/portal/services.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { webhooksQuery } from '../../../platform/portal/webhooks.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Group } from '../../../ui/group.tsx';
import { List } from '../../../ui/list.tsx';
import { Page } from '../../../ui/page.tsx';
import { NewWebhookSheet } from './new-webhook-sheet.tsx';
import { WebhookRow } from './webhook-row.tsx';

export function WebhooksPage() {
  return (
    <PortalPage>
      <Webhooks />
    </PortalPage>
  );
}

/** Every webhook of the company, by service. */
function Webhooks() {
  const { t } = usePortalText();
  const mayEdit = mayAs(usePortalLogin(), 'developer');
  const list = useRead(services);
  const [isAdding, setIsAdding] = useState(false);
  return (
    <Page
      title={t('webhooks.title')}
      lead={t('webhooks.page.lead')}
      aside={
        mayEdit &&
        list.found !== undefined &&
        list.found.length > 0 && (
          <Button leftSection={<IconPlus size={18} aria-hidden="true" />} onClick={() => setIsAdding(true)}>
            {t('webhooks.new')}
          </Button>
        )
      }
    >
      <LoadedList of={list} none={t('access.none')} noneText={t('access.none.text')}>
        {(found) => (
          <>
            {found.map((service) => (
              <OfService key={service.id} service={service} />
            ))}
            <SameByApi {...sameCalls.webhooks(found[0]?.id ?? '')} />
            {isAdding && <NewWebhookSheet services={found} close={() => setIsAdding(false)} />}
          </>
        )}
      </LoadedList>
    </Page>
  );
}

function OfService({ service: { id, name } }: { service: Service }) {
  const { t } = usePortalText();
  const list = useRead(webhooksQuery(id));
  return (
    <Group title={name}>
      <Loaded of={list} height={70}>
        {(found) =>
          found.length === 0 ? (
            <Empty title={t('webhooks.none')}>{t('webhooks.none.text')}</Empty>
          ) : (
            <List label={`${t('webhooks.title')}: ${name}`}>
              {found.map((webhook) => (
                <WebhookRow key={webhook.id} serviceId={id} webhook={webhook} />
              ))}
            </List>
          )
        }
      </Loaded>
    </Group>
  );
}
