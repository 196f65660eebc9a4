import { Button, MultiSelect, NativeSelect, Stack, TextInput } from '@mantine/core';
import type { Service, WebhookFormat, WebhookWithSecret } from '@symbolon/protocol';
import { type EventName, eventNames } from '@symbolon/protocol/constants';
import { type FormEvent, useState } from 'react';
import { useKeptForm } from '../../../parts/portal/use-kept-form.ts';
import { Problem, useAct } from '../../../parts/problem.tsx';
import { createWebhook, webhooksQuery } from '../../../platform/portal/webhooks.ts';
import { outdate } from '../../../platform/queries.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { WebhookSecret } from './webhook-secret.tsx';

type Form = { serviceId: string; url: string; events: readonly string[]; format: WebhookFormat };

/** A new webhook, signed with a secret that the platform makes. */
export function NewWebhookSheet({ services, close }: { services: readonly Service[]; close: () => void }) {
  const { t } = usePortalText();
  const { busy, error, run } = useAct();
  const { value, change, drop } = useKeptForm<Form>('webhook', () => ({
    serviceId: '',
    url: '',
    events: [],
    format: 'json',
  }));
  const { url, events, format } = value;
  const serviceId = (services.find(({ id }) => id === value.serviceId) ?? services[0])?.id ?? '';
  const [made, setMade] = useState<WebhookWithSecret>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      const created = await createWebhook(serviceId, {
        url: url.trim(),
        events: events as EventName[],
        format,
        auth_type: 'hmac',
      });
      drop();
      await outdate(webhooksQuery(serviceId).key);
      setMade(created);
    });
  };
  if (made?.hmac_secret_once !== undefined)
    return <WebhookSecret lead={t('webhooks.secret.text')} secret={made.hmac_secret_once} close={close} />;
  return (
    <Sheet title={t('webhooks.new')} opened close={close} closeLabel={t('app.close')}>
      <form onSubmit={submit}>
        <Stack>
          <NativeSelect
            autoComplete="off"
            label={t('webhooks.new.service')}
            value={serviceId}
            data={services.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(event) => change({ serviceId: event.currentTarget.value })}
          />
          <TextInput
            label={t('webhooks.new.url')}
            description={t('webhooks.new.url.hint')}
            type="url"
            autoComplete="off"
            placeholder="https://"
            required
            maxLength={2048}
            value={url}
            onChange={(event) => change({ url: event.currentTarget.value })}
          />
          <MultiSelect
            autoComplete="off"
            label={t('webhooks.new.events')}
            description={t('webhooks.new.events.hint')}
            data={[...eventNames]}
            value={[...events]}
            onChange={(next) => change({ events: next })}
            searchable
            clearable
          />
          <NativeSelect
            autoComplete="off"
            label={t('webhooks.new.format')}
            value={format}
            data={[
              { value: 'json', label: 'JSON' },
              { value: 'xml', label: 'XML' },
            ]}
            onChange={(event) => change({ format: event.currentTarget.value as WebhookFormat })}
          />
          <Problem error={error} />
          <Button type="submit" loading={busy}>
            {t('webhooks.new.create')}
          </Button>
        </Stack>
      </form>
    </Sheet>
  );
}
