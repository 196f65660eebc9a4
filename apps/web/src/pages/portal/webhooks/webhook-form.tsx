import { Checkbox, MultiSelect, NativeSelect, Stack, TextInput } from '@mantine/core';
import type { Webhook, WebhookAuthType, WebhookFormat } from '@symbolon/protocol';
import { type EventName, eventNames } from '@symbolon/protocol/constants';
import { SymbolonError } from '@symbolon/sdk/device';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ActButtons } from '../../../parts/act-buttons.tsx';
import { Problem, useAct, useErrorText } from '../../../parts/problem.tsx';
import {
  AUTH_TYPES,
  CREDENTIALS,
  type Credential,
  requestOf,
  type Settings,
  shownSettings,
  type WebhookChanges,
} from '../../../platform/portal/webhook-settings.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { CredentialInput } from './credential-input.tsx';

interface Shown {
  readonly shown: Settings;
  readonly change: (part: Partial<Settings>) => void;
}

/** Every setting of a webhook that there is, or of a new one. */
export function WebhookForm({
  webhook,
  changed,
  change,
  save,
  cancel,
  label,
  children,
}: {
  /** The one that is edited. */
  webhook?: Webhook;
  /** What was changed so far. Secrets are not among it: they are held until the form closes. */
  changed: Partial<Settings>;
  change: (part: Partial<Settings>) => void;
  save: (request: WebhookChanges) => Promise<void>;
  cancel?: () => void;
  label: string;
  /** What is asked first. */
  children?: ReactNode;
}) {
  const { busy, error, run } = useAct();
  const textOf = useErrorText();
  const [typed, setTyped] = useState<Partial<Record<Credential, string>>>({});
  const shown = shownSettings(changed, webhook);
  const refused = error instanceof SymbolonError ? error : undefined;
  const isOfUrl = refused?.errorKey === 'services.webhook_url_invalid';
  const missing =
    refused?.errorKey === 'services.webhook_secret_required'
      ? (refused.details.missing as readonly Credential[])
      : [];
  const credentials: readonly Credential[] = CREDENTIALS[shown.auth_type];
  const isBeside = isOfUrl || credentials.some((member) => missing.includes(member));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(() => save(requestOf(changed, typed, webhook)));
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {children}
        <What shown={shown} change={change} urlError={isOfUrl && textOf(error)} />
        <Authentication shown={shown} change={change} />
        {credentials.map((member) => (
          <CredentialInput
            key={member}
            member={member}
            kept={webhook?.[member] ?? null}
            value={typed[member] ?? ''}
            change={(text) => setTyped({ ...typed, [member]: text })}
            error={missing.includes(member) && textOf(error)}
          />
        ))}
        <More shown={shown} change={change} isNew={webhook === undefined} />
        {!isBeside && <Problem error={error} />}
        <ActButtons label={label} busy={busy} cancel={cancel} />
      </Stack>
    </form>
  );
}

/** Where to, what of, and how it is written. */
function What({ shown, change, urlError }: Shown & { urlError: ReactNode }) {
  const { t } = usePortalText();
  return (
    <>
      <TextInput
        label={t('webhooks.new.url')}
        description={t('webhooks.new.url.hint')}
        type="url"
        autoComplete="off"
        placeholder="https://"
        required
        maxLength={2048}
        value={shown.url}
        onChange={(event) => change({ url: event.currentTarget.value })}
        error={urlError}
      />
      <MultiSelect
        size="md"
        autoComplete="off"
        label={t('webhooks.new.events')}
        description={t('webhooks.new.events.hint')}
        data={[...eventNames]}
        value={[...shown.events]}
        onChange={(next) => change({ events: next as EventName[] })}
        searchable
        clearable
      />
      <NativeSelect
        size="md"
        autoComplete="off"
        label={t('webhooks.new.format')}
        value={shown.format}
        data={[
          { value: 'json', label: 'JSON' },
          { value: 'xml', label: 'XML' },
        ]}
        onChange={(event) => change({ format: event.currentTarget.value as WebhookFormat })}
      />
    </>
  );
}

function Authentication({ shown: { auth_type: type }, change }: Shown) {
  const { t } = usePortalText();
  return (
    <NativeSelect
      size="md"
      autoComplete="off"
      label={t('webhooks.form.auth')}
      description={t(`webhooks.auth.${type}.hint`)}
      value={type}
      data={AUTH_TYPES.map((each) => ({ value: each, label: t(`webhooks.auth.${each}`) }))}
      onChange={(event) => change({ auth_type: event.currentTarget.value as WebhookAuthType })}
    />
  );
}

/** One that exists is switched off and on on its page. */
function More({ shown, change, isNew }: Shown & { isNew: boolean }) {
  const { t } = usePortalText();
  return (
    <>
      <Checkbox
        label={t('webhooks.form.sealed')}
        description={t('webhooks.form.sealed.hint')}
        checked={shown.encrypt_payload}
        onChange={(event) => change({ encrypt_payload: event.currentTarget.checked })}
      />
      {isNew && (
        <Checkbox
          label={t('webhooks.form.enabled')}
          description={t('webhooks.form.enabled.hint')}
          checked={shown.enabled}
          onChange={(event) => change({ enabled: event.currentTarget.checked })}
        />
      )}
    </>
  );
}
