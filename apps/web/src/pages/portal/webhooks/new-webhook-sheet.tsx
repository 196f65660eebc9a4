import { NativeSelect } from '@mantine/core';
import type { Service } from '@symbolon/protocol';
import { useState } from 'react';
import { useKeptForm } from '../../../parts/portal/use-kept-form.ts';
import type { Settings, WebhookChanges } from '../../../platform/portal/webhook-settings.ts';
import { createWebhook, webhooksQuery } from '../../../platform/portal/webhooks.ts';
import { outdate } from '../../../platform/queries.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookSecret } from './webhook-secret.tsx';

type Form = Partial<Settings> & { serviceId?: string };

/** A new webhook. One that is signed gets a secret that the platform makes, unless one is typed. */
export function NewWebhookSheet({ services, close }: { services: readonly Service[]; close: () => void }) {
  const { t } = usePortalText();
  const { value, change, drop } = useKeptForm<Form>('webhook', () => ({}));
  const { serviceId: chosen, ...changed } = value;
  const serviceId = (services.find(({ id }) => id === chosen) ?? services[0])?.id ?? '';
  const [secret, setSecret] = useState<string>();
  const create = async ({ url = '', ...request }: WebhookChanges) => {
    const { hmac_secret_once: made } = await createWebhook(serviceId, { ...request, url });
    drop();
    await outdate(webhooksQuery(serviceId).key);
    if (made === undefined) close();
    else setSecret(made);
  };
  if (secret !== undefined)
    return <WebhookSecret lead={t('webhooks.secret.text')} secret={secret} close={close} />;
  return (
    <Sheet title={t('webhooks.new')} opened close={close} closeLabel={t('app.close')}>
      <WebhookForm changed={changed} change={change} save={create} label={t('webhooks.new.create')}>
        <NativeSelect
          size="md"
          autoComplete="off"
          label={t('webhooks.new.service')}
          value={serviceId}
          data={services.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(event) => change({ serviceId: event.currentTarget.value })}
        />
      </WebhookForm>
    </Sheet>
  );
}
