import { Badge, Button, Code, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import type { TwoFactorEnrolment } from '@symbolon/protocol';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { ActButtons } from '../../parts/act-buttons.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Problem, useAct } from '../../parts/problem.tsx';
import { ProofForm } from '../../parts/proof-form.tsx';
import { SecretCodes } from '../../parts/secret-codes.tsx';
import { Section } from '../../parts/section.tsx';
import { useRead } from '../../platform/read.ts';
import { acts, confirmTotp, enrolTotp, newTotpCodes, totpOff, totpState } from '../../platform/security.ts';
import { useText } from '../../text/index.tsx';

const QrCode = lazy(() => import('../../parts/qr-code.tsx').then(({ QrCode }) => ({ default: QrCode })));

type Doing = { what: 'enrol' | 'codes' | 'off' } | { what: 'confirm'; enrolment: TwoFactorEnrolment };

/** Codes of an authenticator app, as a second factor. */
export function TotpSection() {
  const { t } = useText();
  const read = useRead(totpState);
  const { found: state, load } = read;
  const [doing, setDoing] = useState<Doing>();
  const [codes, setCodes] = useState<readonly string[]>();
  const done = async (shown?: readonly string[]) => {
    setDoing(undefined);
    setCodes(shown);
    await load();
  };
  const cancel = () => setDoing(undefined);
  return (
    <Section title={t('totp.title')} lead={t('totp.lead')}>
      <Loaded of={read} height={44} />
      {codes !== undefined && <Codes codes={codes} />}
      {state !== undefined && doing === undefined && (
        <Group>
          <Badge variant="light" color={state.enabled ? 'teal' : 'gray'} size="lg" tt="none">
            {state.enabled ? t('totp.on') : t('totp.off')}
          </Badge>
          {state.enabled ? (
            <>
              <Button variant="default" onClick={() => setDoing({ what: 'codes' })}>
                {t('totp.newCodes', { left: state.recovery_codes_left })}
              </Button>
              <Button variant="default" onClick={() => setDoing({ what: 'off' })}>
                {t('totp.switchOff')}
              </Button>
            </>
          ) : (
            <Button variant="default" onClick={() => setDoing({ what: 'enrol' })}>
              {t('totp.switchOn')}
            </Button>
          )}
        </Group>
      )}
      {doing?.what === 'enrol' && (
        <ProofForm
          act={acts.enrolTotp}
          label={t('app.continue')}
          prove={async (proof) => setDoing({ what: 'confirm', enrolment: await enrolTotp(proof) })}
          cancel={cancel}
        />
      )}
      {doing?.what === 'confirm' && <Confirm enrolment={doing.enrolment} done={done} cancel={cancel} />}
      {doing?.what === 'codes' && (
        <ProofForm
          act={acts.newTotpCodes}
          label={t('totp.makeCodes')}
          prove={async (proof) => done(await newTotpCodes(proof))}
          cancel={cancel}
        />
      )}
      {doing?.what === 'off' && (
        <ProofForm
          act={acts.totpOff}
          label={t('totp.switchOff')}
          color="red"
          prove={async (proof) => {
            await totpOff(proof);
            await done();
          }}
          cancel={cancel}
        />
      )}
    </Section>
  );
}

function Codes({ codes }: { codes: readonly string[] }) {
  const { t } = useText();
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
  enrolment: TwoFactorEnrolment;
  done: (codes: readonly string[]) => Promise<void>;
  cancel: () => void;
}) {
  const { secret, otpauth_url } = props.enrolment;
  const { t } = useText();
  const { busy, error, run } = useAct();
  const [code, setCode] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => props.done(await confirmTotp(code)));
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
