import { Button, Code, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import type { TwoFactorEnrolment } from '@symbolon/protocol';
import { IconShieldCheck } from '@tabler/icons-react';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { useRead } from '../../platform/read.ts';
import type { TotpMeans } from '../../platform/sign-in-means.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { Group } from '../../ui/group.tsx';
import { IconTile } from '../../ui/icon.tsx';
import { List } from '../../ui/list.tsx';
import { Status } from '../../ui/status.tsx';
import { ActButtons } from '../act-buttons.tsx';
import { Loaded } from '../loaded.tsx';
import { Problem, useAct } from '../problem.tsx';
import { ProofForm } from '../proof-form.tsx';
import { RowSheet } from '../row-sheet.tsx';
import { SecretCodes } from '../secret-codes.tsx';

const QrCode = lazy(() => import('../qr-code.tsx').then(({ QrCode }) => ({ default: QrCode })));

type Doing = { what: 'enrol' | 'codes' | 'off' } | { what: 'confirm'; enrolment: TwoFactorEnrolment };

/** Codes of an authenticator app, as a second factor. */
export function TotpSection({ means }: { means: TotpMeans }) {
  const { t } = useInsideText();
  const read = useRead(means.state);
  const { found: state, load } = read;
  return (
    <Group id="totp" title={t('totp.title')} lead={t('totp.lead')}>
      <Loaded of={read} height={60} />
      {state && (
        <List>
          <RowSheet
            heading={t('totp.title')}
            leading={<IconTile icon={IconShieldCheck} tone={state.enabled ? 'accent' : 'neutral'} />}
            title={t(state.enabled ? 'totp.manage' : 'totp.switchOn')}
            {...(state.enabled && { detail: t('totp.left', { left: state.recovery_codes_left }) })}
            trailing={state.enabled ? <Status tone="good">{t('totp.on')}</Status> : undefined}
          >
            {(close) => <Acting means={means} isOn={state.enabled} load={load} close={close} />}
          </RowSheet>
        </List>
      )}
    </Group>
  );
}

/** Switches it on, or makes new codes and switches it off. */
function Acting(props: { means: TotpMeans; isOn: boolean; load: () => Promise<void>; close: () => void }) {
  const { means, isOn, load, close } = props;
  const { t } = useInsideText();
  const [doing, setDoing] = useState<Doing | undefined>(isOn ? undefined : { what: 'enrol' });
  const [codes, setCodes] = useState<readonly string[]>();
  const showCodes = async (made: readonly string[]) => {
    setCodes(made);
    await load();
  };
  if (codes !== undefined) return <Codes codes={codes} />;
  switch (doing?.what) {
    case 'enrol':
      return (
        <ProofForm
          act={means.acts.enrol}
          label={t('app.continue')}
          prove={async (proof) => setDoing({ what: 'confirm', enrolment: await means.enrol(proof) })}
          cancel={close}
        />
      );
    case 'confirm':
      return <Confirm means={means} enrolment={doing.enrolment} done={showCodes} cancel={close} />;
    case 'codes':
      return (
        <ProofForm
          act={means.acts.newCodes}
          label={t('totp.makeCodes')}
          prove={async (proof) => showCodes(await means.newCodes(proof))}
          cancel={close}
        />
      );
    case 'off':
      return (
        <ProofForm
          act={means.acts.off}
          label={t('totp.switchOff')}
          color="red"
          prove={async (proof) => {
            await means.off(proof);
            close();
            await load();
          }}
          cancel={close}
        />
      );
    default:
      return (
        <Stack>
          <Button variant="default" onClick={() => setDoing({ what: 'codes' })}>
            {t('totp.makeCodes')}
          </Button>
          <Button variant="default" c="red" onClick={() => setDoing({ what: 'off' })}>
            {t('totp.switchOff')}
          </Button>
        </Stack>
      );
  }
}

function Codes({ codes }: { codes: readonly string[] }) {
  const { t } = useInsideText();
  return (
    <Stack gap="xs" role="status">
      <Text size="sm">{t('totp.codes.text')}</Text>
      <SecretCodes
        label={t('totp.codes')}
        groups={codes}
        value={codes.join('\n')}
        file={t('totp.file')}
        fileText={`${t('totp.codes')} (${location.host})\n\n${codes.join('\n')}\n`}
      />
    </Stack>
  );
}

function Confirm(props: {
  means: TotpMeans;
  enrolment: TwoFactorEnrolment;
  done: (codes: readonly string[]) => Promise<void>;
  cancel: () => void;
}) {
  const { secret, otpauth_url } = props.enrolment;
  const { t } = useInsideText();
  const { busy, error, run } = useAct();
  const [code, setCode] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => props.done(await props.means.confirm(code)));
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text size="sm">{t('totp.scan')}</Text>
        <Suspense fallback={<Skeleton h={184} w={184} radius={8} />}>
          <QrCode text={otpauth_url} label={t('totp.qr')} />
        </Suspense>
        <Stack gap={4}>
          <Text size="sm" c="dimmed">
            {t('totp.type')}
          </Text>
          <Code>{secret.match(/.{1,4}/g)?.join(' ')}</Code>
        </Stack>
        <TextInput
          label={t('totp.first')}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Problem error={error} />
        <ActButtons label={t('totp.switchOn')} busy={busy} cancel={props.cancel} />
      </Stack>
    </form>
  );
}
