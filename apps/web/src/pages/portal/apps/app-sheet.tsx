import { Anchor, Button, Checkbox, Fieldset, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import type {
  ClaimConfig,
  ClaimsDelivery,
  IdTokenAlgorithm,
  OAuthApp,
  OAuthAppWithSecret,
  StandardClaim,
} from '@symbolon/protocol';
import { type FormEvent, useState } from 'react';
import { ActButtons } from '../../../parts/act-buttons.tsx';
import { LastUse } from '../../../parts/portal/last-use.tsx';
import { Question } from '../../../parts/portal/question.tsx';
import { Problem, useAct } from '../../../parts/problem.tsx';
import { When } from '../../../parts/when.tsx';
import { changeApp, deleteApp, rollApp, signInPageOf } from '../../../platform/portal/apps.ts';
import { services } from '../../../platform/portal/services.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { WithConsentPreview } from './consent-preview.tsx';
import { RedirectUris } from './redirect-uris.tsx';

interface Props {
  readonly app: OAuthApp;
  readonly close: () => void;
  readonly changed: (made?: OAuthAppWithSecret) => Promise<void>;
}

/** One sign-in app: what of it can change, its secret, and its end. */
export function AppSheet({ app, close, changed }: Props) {
  const { client_id: id, name } = app;
  const { t } = usePortalText();
  const { busy, error, run } = useAct();
  const [asked, setAsked] = useState<'roll' | 'delete'>();
  const question = (
    title: string,
    text: string,
    label: string,
    act: () => Promise<OAuthAppWithSecret | undefined>,
  ) => (
    <Question title={title} close={() => setAsked(undefined)}>
      <Text size="sm">{text}</Text>
      <Problem error={error} />
      <ActButtons
        label={label}
        busy={busy}
        color="red"
        act={() => run(async () => changed(await act()))}
        cancel={() => setAsked(undefined)}
      />
    </Question>
  );
  if (asked === 'roll')
    return question(t('access.roll.title'), t('apps.roll.text'), t('access.roll'), () => rollApp(id));
  if (asked === 'delete')
    return question(t('apps.delete.title', { name }), t('apps.delete.text'), t('apps.delete'), () =>
      deleteApp(id).then(() => undefined),
    );
  return (
    <Sheet title={name} wide opened close={close} closeLabel={t('app.close')}>
      <Stack>
        <Text ff="monospace" size="sm">
          {id}
        </Text>
        {app.secret_created_at !== null && (
          <Text size="sm" c="dimmed">
            {t('apps.secret.made')} <When at={app.secret_created_at} />
          </Text>
        )}
        <LastUse clientId={id} />
        <Anchor href={signInPageOf(app)} target="_blank" rel="noreferrer" size="sm">
          {t('apps.preview')}
        </Anchor>
        <Settings app={app} saved={() => changed()} />
        {app.confidential && (
          <Button variant="default" onClick={() => setAsked('roll')}>
            {t('access.roll')}
          </Button>
        )}
        <Button variant="subtle" color="red" onClick={() => setAsked('delete')}>
          {t('apps.delete')}
        </Button>
      </Stack>
    </Sheet>
  );
}

const CLAIMS = ['name', 'email'] as const satisfies readonly StandardClaim[];

/** What of an app can change. */
const formOf = (app: OAuthApp) => ({
  name: app.name,
  redirect_uris: app.redirect_uris,
  service_id: app.service_id,
  require_2fa: app.require_2fa,
  detached: app.detached,
  claims_delivery: app.claims_delivery,
  id_token_signed_response_alg: app.id_token_signed_response_alg,
  claim_config: app.claim_config,
});
type Form = ReturnType<typeof formOf>;

function Settings({ app, saved }: { app: OAuthApp; saved: () => Promise<void> }) {
  const { t } = usePortalText();
  const { busy, error, run } = useAct();
  const { found: all = [] } = useRead(services);
  const [value, setValue] = useState(() => formOf(app));
  const change = (part: Partial<Form>) => setValue((before) => ({ ...before, ...part }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      await changeApp(app.client_id, { ...value, name: value.name.trim() });
      await saved();
    });
  };
  return (
    <WithConsentPreview app={{ ...value, public_key: app.public_key }}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t('apps.name')}
            autoComplete="off"
            required
            maxLength={100}
            value={value.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <RedirectUris value={value.redirect_uris} change={(uris) => change({ redirect_uris: [...uris] })} />
          <NativeSelect
            autoComplete="off"
            label={t('apps.service')}
            description={t('apps.service.hint')}
            value={value.service_id ?? ''}
            data={[
              { value: '', label: t('apps.service.none') },
              ...all.map((service) => ({ value: service.id, label: service.name })),
            ]}
            onChange={(event) => change({ service_id: event.currentTarget.value || null })}
          />
          <Claims hasKey={app.public_key !== null} value={value} change={change} />
          <Checkbox
            label={t('apps.require2fa')}
            checked={value.require_2fa}
            onChange={(event) => change({ require_2fa: event.currentTarget.checked })}
          />
          <Checkbox
            label={t('apps.detached')}
            description={t('apps.detached.hint')}
            checked={value.detached}
            onChange={(event) => change({ detached: event.currentTarget.checked })}
          />
          <NativeSelect
            autoComplete="off"
            label={t('apps.algorithm')}
            value={value.id_token_signed_response_alg}
            data={['RS256', 'EdDSA']}
            onChange={(event) =>
              change({ id_token_signed_response_alg: event.currentTarget.value as IdTokenAlgorithm })
            }
          />
          <Problem error={error} />
          <Button type="submit" loading={busy}>
            {t('settings.save')}
          </Button>
        </Stack>
      </form>
    </WithConsentPreview>
  );
}

/** What the app gets of people who sign in, and in which form. */
function Claims(props: { hasKey: boolean; value: Form; change: (part: Partial<Form>) => void }) {
  const { hasKey, value, change } = props;
  const { t } = usePortalText();
  return (
    <Fieldset legend={t('apps.claims')}>
      <Stack gap="xs">
        {!hasKey && <Text size="sm">{t('apps.claims.noKey')}</Text>}
        {CLAIMS.map((claim) => (
          <ClaimRules
            key={claim}
            claim={claim}
            config={value.claim_config}
            change={(config) => change({ claim_config: config })}
          />
        ))}
        <NativeSelect
          autoComplete="off"
          label={t('apps.delivery')}
          value={value.claims_delivery}
          data={(['encrypted', 'plaintext'] as const).map((each) => ({
            value: each,
            label: t(`apps.delivery.${each}`),
          }))}
          onChange={(event) => change({ claims_delivery: event.currentTarget.value as ClaimsDelivery })}
        />
      </Stack>
    </Fieldset>
  );
}

/** What the app wants of a claim, whatever a sign-in asks. */
function ClaimRules(props: {
  claim: StandardClaim;
  config: ClaimConfig;
  change: (config: ClaimConfig) => void;
}) {
  const { claim, config, change } = props;
  const { t } = usePortalText();
  const rule = config.find(({ name }) => name === claim);
  const set = (members: { required: boolean } | { verified: boolean }) => {
    const next = { name: claim, ...rule, ...members };
    const others = config.filter(({ name }) => name !== claim);
    change(next.required || next.verified ? [...others, next] : others);
  };
  return (
    <>
      <Checkbox
        label={t(`apps.claim.${claim}.required`)}
        checked={rule?.required ?? false}
        onChange={(event) => set({ required: event.currentTarget.checked })}
      />
      <Checkbox
        label={t(`apps.claim.${claim}.verified`)}
        checked={rule?.verified ?? false}
        onChange={(event) => set({ verified: event.currentTarget.checked })}
      />
    </>
  );
}
