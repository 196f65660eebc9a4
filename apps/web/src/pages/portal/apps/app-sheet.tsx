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

function Settings({ app, saved }: { app: OAuthApp; saved: () => Promise<void> }) {
  const { t } = usePortalText();
  const { busy, error, run } = useAct();
  const { found: all = [] } = useRead(services);
  const [name, setName] = useState(app.name);
  const [uris, setUris] = useState<readonly string[]>(app.redirect_uris);
  const [serviceId, setServiceId] = useState(app.service_id);
  const [require2fa, setRequire2fa] = useState(app.require_2fa);
  const [detached, setDetached] = useState(app.detached);
  const [delivery, setDelivery] = useState<ClaimsDelivery>(app.claims_delivery);
  const [algorithm, setAlgorithm] = useState<IdTokenAlgorithm>(app.id_token_signed_response_alg);
  const [claims, setClaims] = useState<ClaimConfig>(app.claim_config);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      await changeApp(app.client_id, {
        name: name.trim(),
        redirect_uris: [...uris],
        service_id: serviceId,
        require_2fa: require2fa,
        detached,
        claims_delivery: delivery,
        id_token_signed_response_alg: algorithm,
        claim_config: claims,
      });
      await saved();
    });
  };
  const seen = {
    name,
    redirect_uris: [...uris],
    claims_delivery: delivery,
    claim_config: claims,
    public_key: app.public_key,
  };
  return (
    <WithConsentPreview app={seen}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t('apps.name')}
            autoComplete="off"
            required
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <RedirectUris value={uris} change={setUris} />
          <NativeSelect
            autoComplete="off"
            label={t('apps.service')}
            description={t('apps.service.hint')}
            value={serviceId ?? ''}
            data={[
              { value: '', label: t('apps.service.none') },
              ...all.map((service) => ({ value: service.id, label: service.name })),
            ]}
            onChange={(event) => setServiceId(event.currentTarget.value || null)}
          />
          <Fieldset legend={t('apps.claims')}>
            <Stack gap="xs">
              {app.public_key === null && <Text size="sm">{t('apps.claims.noKey')}</Text>}
              {CLAIMS.map((claim) => (
                <ClaimRules key={claim} claim={claim} config={claims} change={setClaims} />
              ))}
              <NativeSelect
                autoComplete="off"
                label={t('apps.delivery')}
                value={delivery}
                data={(['encrypted', 'plaintext'] as const).map((each) => ({
                  value: each,
                  label: t(`apps.delivery.${each}`),
                }))}
                onChange={(event) => setDelivery(event.currentTarget.value as ClaimsDelivery)}
              />
            </Stack>
          </Fieldset>
          <Checkbox
            label={t('apps.require2fa')}
            checked={require2fa}
            onChange={(event) => setRequire2fa(event.currentTarget.checked)}
          />
          <Checkbox
            label={t('apps.detached')}
            description={t('apps.detached.hint')}
            checked={detached}
            onChange={(event) => setDetached(event.currentTarget.checked)}
          />
          <NativeSelect
            autoComplete="off"
            label={t('apps.algorithm')}
            value={algorithm}
            data={['RS256', 'EdDSA']}
            onChange={(event) => setAlgorithm(event.currentTarget.value as IdTokenAlgorithm)}
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
