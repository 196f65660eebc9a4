import { Button, Radio, Stack, Switch, Text, TextInput } from '@mantine/core';
import type { Audience, Service } from '@symbolon/protocol';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { useKeptForm } from '../../../parts/portal/use-kept-form.ts';
import { Problem, useAct } from '../../../parts/problem.tsx';
import { useChosen } from '../../../parts/use-chosen.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { changeService, deleteService, type ServiceSetting } from '../../../platform/portal/services.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Group } from '../../../ui/group.tsx';
import { Page } from '../../../ui/page.tsx';
import { Status } from '../../../ui/status.tsx';
import { KeptKey } from './kept-key.tsx';
import { ServiceFrame } from './service-frame.tsx';

export function SettingsPage() {
  return (
    <ServiceFrame>{(service, changed) => <Settings service={service} changed={changed} />}</ServiceFrame>
  );
}

const AUDIENCES = ['person', 'company', 'both'] as const;

function Settings({ service, changed }: { service: Service; changed: () => Promise<void> }) {
  const { t } = usePortalText();
  const mayEdit = mayAs(usePortalLogin(), 'developer');
  const { error, run } = useAct();
  const save = async (setting: ServiceSetting) => {
    await changeService(service.id, setting);
    await changed();
  };
  const chosen = useChosen(service, service);
  const change = (setting: ServiceSetting) => chosen.choose({ ...service, ...setting }, () => save(setting));
  return (
    <Page title={t('settings.title', { name: service.name })}>
      <Problem error={error ?? chosen.error} />
      <Stack maw="32rem" gap="lg">
        <TextSetting
          name={`name.${service.id}`}
          label={t('settings.name')}
          value={service.name}
          mayEdit={mayEdit}
          run={run}
          save={(name) => save({ name })}
        />
        <TextSetting
          name={`email.${service.id}`}
          label={t('settings.email')}
          value={service.admin_email}
          mayEdit={mayEdit}
          run={run}
          save={(email) => save({ admin_email: email })}
        />
        <TextSetting
          name={`code.${service.id}`}
          label={t('settings.code')}
          hint={t('settings.code.hint')}
          value={service.share_code}
          mayEdit={mayEdit}
          run={run}
          save={(code) => save({ share_code: code })}
        />
        <Radio.Group
          label={t('settings.audience')}
          value={chosen.value.audience}
          onChange={(audience) => change({ audience: audience as Audience })}
        >
          <Stack gap="xs" mt="xs">
            {AUDIENCES.map((each) => (
              <Radio key={each} value={each} label={t(`settings.audience.${each}`)} disabled={!mayEdit} />
            ))}
          </Stack>
        </Radio.Group>
        <Switch
          label={t('settings.require2fa')}
          checked={chosen.value.require_2fa}
          disabled={!mayEdit}
          onChange={(event) => change({ require_2fa: event.currentTarget.checked })}
        />
        <Switch
          label={t('settings.numberMatching')}
          checked={chosen.value.number_matching}
          disabled={!mayEdit}
          onChange={(event) => change({ number_matching: event.currentTarget.checked })}
        />
      </Stack>
      {mayEdit && <KeptKey {...service} />}
      <SameByApi {...sameCalls.renameService(service.id, service.name)} />
      {mayEdit && <Danger {...service} />}
    </Page>
  );
}

function TextSetting(props: {
  /** Under which what is typed is kept. */
  name: string;
  label: string;
  hint?: string;
  value: string;
  mayEdit: boolean;
  run: (act: () => Promise<void>) => void;
  save: (value: string) => Promise<void>;
}) {
  const { label, hint, value, mayEdit, run, save } = props;
  const { t } = usePortalText();
  const { value: kept, change } = useKeptForm<{ typed?: string | undefined }>(props.name, () => ({}));
  const [isSaved, setIsSaved] = useState(false);
  const shown = kept.typed ?? value;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      await save(shown.trim());
      change({ typed: undefined });
      setIsSaved(true);
    });
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        label={label}
        {...(hint !== undefined && { description: hint })}
        autoComplete="off"
        required
        readOnly={!mayEdit}
        value={shown}
        onChange={(event) => {
          change({ typed: event.currentTarget.value });
          setIsSaved(false);
        }}
        rightSectionWidth="6rem"
        rightSection={
          shown === value ? (
            isSaved && <Status tone="good">{t('settings.saved')}</Status>
          ) : (
            <Button type="submit" size="compact-sm" aria-label={`${t('settings.save')}: ${label}`}>
              {t('settings.save')}
            </Button>
          )
        }
      />
    </form>
  );
}

function Danger({ id, name, connection_count: count }: Service) {
  const { t } = usePortalText();
  const navigate = useNavigate();
  const { busy, error, run } = useAct();
  const [typed, setTyped] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      await deleteService(id, count > 0);
      await navigate({ to: '/portal/services' });
    });
  };
  return (
    <Group title={t('settings.danger')}>
      <form onSubmit={submit}>
        <Stack maw="32rem">
          <Text size="sm">{t('settings.danger.text')}</Text>
          <TextInput
            label={t('settings.danger.type', { name })}
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Problem error={error} />
          <Button
            type="submit"
            color="red"
            loading={busy}
            disabled={typed !== name}
            style={{ alignSelf: 'flex-start' }}
          >
            {t('settings.danger.submit')}
          </Button>
        </Stack>
      </form>
    </Group>
  );
}
