import type { Webhook } from '@symbolon/protocol';
import { useState } from 'react';
import { useKeptForm } from '../../../parts/portal/use-kept-form.ts';
import type { Settings, WebhookChanges } from '../../../platform/portal/webhook-settings.ts';
import { changeWebhook, webhookQuery, webhooksQuery } from '../../../platform/portal/webhooks.ts';
import { outdate } from '../../../platform/queries.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookSecret } from './webhook-secret.tsx';

/** Changes a webhook. Members that were not touched follow what other logins do meanwhile. */
export function EditWebhookSheet(props: { serviceId: string; webhook: Webhook; close: () => void }) {
  const { serviceId, webhook, close } = props;
  const { id } = webhook;
  const { t } = usePortalText();
  const { value, change, drop } = useKeptForm<Partial<Settings>>(`webhook.${id}`, () => ({}));
  const [secret, setSecret] = useState<string>();
  const giveUp = () => {
    drop();
    close();
  };
  const save = async (request: WebhookChanges) => {
    if (Object.keys(request).length === 0) return giveUp();
    const { hmac_secret_once: made } = await changeWebhook(serviceId, id, request);
    drop();
    await Promise.all([outdate(webhookQuery(serviceId, id).key), outdate(webhooksQuery(serviceId).key)]);
    if (made === undefined) close();
    else setSecret(made);
  };
  if (secret !== undefined)
    return <WebhookSecret lead={t('webhooks.secret.text')} secret={secret} close={close} />;
  return (
    <Sheet title={t('webhook.edit.title')} opened close={close} closeLabel={t('app.close')}>
      <WebhookForm
        webhook={webhook}
        changed={value}
        change={change}
        save={save}
        cancel={giveUp}
        label={t('settings.save')}
      />
    </Sheet>
  );
}
