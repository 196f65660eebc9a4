import { Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ActButtons } from '../../parts/act-buttons.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Problem, useAct } from '../../parts/problem.tsx';
import { When } from '../../parts/when.tsx';
import {
  confirmVerification,
  dropVerification,
  mailVerificationCode,
  type OpenField,
} from '../../platform/fields.ts';
import { documentCheck, verifyDocument } from '../../platform/files.ts';
import { useRead } from '../../platform/read.ts';
import { useSignals } from '../../platform/signals.ts';
import { useInsideText } from '../../text/inside/index.tsx';

type Props = {
  field: OpenField;
  /** Reads the fields again. */
  done: () => Promise<void>;
  stop: () => void;
};

/** Has what is in a field verified; what the platform sees for it is said before. */
export function VerifyForm({ by, ...props }: Props & { by: 'code' | 'document' | undefined }) {
  if (props.field.verifiedAt !== undefined) return <Verified {...props} />;
  if (by === 'code') return <ByCode {...props} />;
  return by === 'document' ? <ByDocument {...props} /> : null;
}

function Verified({ field, done, stop }: Props) {
  const { t } = useInsideText();
  const { busy, error, run } = useAct();
  return (
    <Stack gap="sm">
      <Text size="sm">{t('verification.is')}</Text>
      <Problem error={error} />
      <ActButtons
        variant="light"
        label={t('verification.drop')}
        busy={busy}
        act={() =>
          run(async () => {
            await dropVerification(field);
            await done();
            stop();
          })
        }
        cancel={stop}
      />
    </Stack>
  );
}

/** A code that is mailed to the address in the field. */
function ByCode({ field, done, stop }: Props) {
  const { t } = useInsideText();
  const { busy, error, run } = useAct();
  const [isSent, setSent] = useState(false);
  const [code, setCode] = useState('');
  const value = field.text ?? '';
  if (!isSent)
    return (
      <Stack gap="sm">
        <Text size="sm">{t('verification.code.text', { value })}</Text>
        <Problem error={error} />
        <ActButtons
          label={t('verification.code.send')}
          busy={busy}
          act={() =>
            run(async () => {
              await mailVerificationCode(field);
              setSent(true);
            })
          }
          cancel={stop}
        />
      </Stack>
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      await confirmVerification(field, code);
      await done();
      stop();
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm" role="status">
          {t('verification.code.sent', { value })}
        </Text>
        <TextInput
          label={t('verification.code')}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          data-autofocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Problem error={error} />
        <ActButtons label={t('verification.code.confirm')} busy={busy} cancel={stop} />
      </Stack>
    </form>
  );
}

/** An identity document, by the provider of the platform. */
function ByDocument({ field, done, stop }: Props) {
  const { t } = useInsideText();
  const { busy, error, run } = useAct();
  const { found: check, load, change, ...read } = useRead(documentCheck(field.id, done));
  useSignals(() => check?.state === 'pending' && load());
  if (check === undefined) return <Loaded of={{ found: check, load, ...read }} height={60} />;
  const send = () =>
    run(async () => {
      const sent = await verifyDocument(field.id);
      change(() => sent);
    });
  if (check?.state === 'pending')
    return (
      <Stack gap="sm">
        <Text size="sm" role="status">
          {t('verification.pending')} {t('verification.until')} <When at={check.expires_at} />.
        </Text>
        <ActButtons variant="light" label={t('app.close')} busy={false} act={stop} />
      </Stack>
    );
  return (
    <Stack gap="sm">
      {check?.state === 'rejected' && (
        <Text size="sm" role="status">
          {t('verification.rejected')} {t(`verification.rejected.${check.reason ?? 'other'}`)}
        </Text>
      )}
      <Text size="sm">{t('verification.document.text')}</Text>
      <Problem error={error} />
      <ActButtons
        label={t('verification.document.send', { label: field.label })}
        busy={busy}
        act={send}
        cancel={stop}
      />
    </Stack>
  );
}
