import { Stack, Text } from '@mantine/core';
import { use, useState } from 'react';
import type { SignInMeans } from '../../platform/sign-in-means.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { PasswordForm } from '../password-form.tsx';
import { ProverContext } from '../prover.ts';
import { RecoveryCode } from '../recovery-code.tsx';

type Props = { means: SignInMeans; done: () => Promise<void>; close: () => void };

/** Makes a new recovery code: the password opens the key that it wraps. */
export function NewRecoveryCode({ means, done, close }: Props) {
  const { t } = useInsideText();
  const prover = use(ProverContext);
  const [made, setMade] = useState<string>();
  if (made !== undefined)
    return (
      <Stack role="status">
        <Text size="sm">{t('recovery.text')}</Text>
        <RecoveryCode email={means.email} code={made} />
      </Stack>
    );
  return (
    <PasswordForm
      label={t('recovery.make')}
      act={async (password, code) => {
        const second = code === undefined ? undefined : { kind: 'totp' as const, text: code };
        setMade(await means.newRecoveryCode(password, await prover.byPassword(password, second)));
        await done();
      }}
      cancel={close}
    />
  );
}
