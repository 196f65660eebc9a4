import { Button, Checkbox, Radio, Stack, Text, TextInput } from '@mantine/core';
import type { AppType, OAuthAppWithSecret } from '@symbolon/protocol';
import { type FormEvent, useState } from 'react';
import { KeyFiles } from '../../../parts/portal/key-files.tsx';
import { useKeptForm } from '../../../parts/portal/use-kept-form.ts';
import { Problem, useAct } from '../../../parts/problem.tsx';
import { createApp } from '../../../platform/portal/apps.ts';
import { makeServiceKey, type ServiceKey } from '../../../platform/portal/services.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { type Seen, WithConsentPreview } from './consent-preview.tsx';
import { RedirectUris } from './redirect-uris.tsx';

const TYPES = ['confidential', 'public'] as const satisfies readonly AppType[];

type Form = { name: string; type: AppType; uris: readonly string[]; asksClaims: boolean };

/** A new sign-in app; the key for its claims is made here, and saved before the app is created. */
export function NewAppSheet(props: { close: () => void; made: (app: OAuthAppWithSecret) => Promise<void> }) {
  const { close, made } = props;
  const { t } = usePortalText();
  const { busy, error, run } = useAct();
  const form = useKeptForm<Form>('app', () => ({
    name: '',
    type: 'confidential',
    uris: [],
    asksClaims: true,
  }));
  const { name, type, uris, asksClaims } = form.value;
  const [pair, setPair] = useState<ServiceKey>();
  const [isSaved, setIsSaved] = useState(false);
  const create = async (key: ServiceKey | undefined) => {
    const app = await createApp({ name: name.trim(), app_type: type, redirect_uris: [...uris] }, key);
    form.drop();
    await made(app);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      if (asksClaims) setPair(await makeServiceKey());
      else await create(undefined);
    });
  };
  const seen: Seen = {
    name,
    redirect_uris: [...uris],
    claims_delivery: 'encrypted',
    claim_config: [],
    // Not made yet: what counts is that there is one.
    public_key: asksClaims ? '' : null,
  };
  if (pair !== undefined)
    return (
      <Sheet title={t('services.new.keys', { name })} opened close={close} closeLabel={t('app.close')}>
        <Stack>
          <Text size="sm">{t('apps.new.keys.text')}</Text>
          <KeyFiles name={name} pair={pair} saved={() => setIsSaved(true)} />
          <Problem error={error} />
          <Button loading={busy} disabled={!isSaved} onClick={() => run(() => create(pair))}>
            {t('apps.new.create')}
          </Button>
        </Stack>
      </Sheet>
    );
  return (
    <Sheet title={t('apps.new')} wide opened close={close} closeLabel={t('app.close')}>
      <WithConsentPreview app={seen}>
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              label={t('apps.name')}
              description={t('apps.name.hint')}
              autoComplete="off"
              required
              maxLength={100}
              value={name}
              onChange={(event) => form.change({ name: event.currentTarget.value })}
            />
            <TypeChoice type={type} choose={(chosen) => form.change({ type: chosen })} />
            <RedirectUris value={uris} change={(next) => form.change({ uris: next })} />
            <Checkbox
              label={t('apps.new.claims')}
              description={t('apps.new.claims.hint')}
              checked={asksClaims}
              onChange={(event) => form.change({ asksClaims: event.currentTarget.checked })}
            />
            <Problem error={error} />
            <Button type="submit" loading={busy}>
              {t(asksClaims ? 'apps.new.make' : 'apps.new.create')}
            </Button>
          </Stack>
        </form>
      </WithConsentPreview>
    </Sheet>
  );
}

function TypeChoice({ type, choose }: { type: AppType; choose: (type: AppType) => void }) {
  const { t } = usePortalText();
  return (
    <Radio.Group label={t('apps.type')} value={type} onChange={(chosen) => choose(chosen as AppType)}>
      <Stack gap="xs" mt="xs">
        {TYPES.map((each) => (
          <Radio
            key={each}
            value={each}
            label={t(`apps.type.${each}`)}
            description={t(`apps.type.${each}.hint`)}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
