import { Stack, Text } from '@mantine/core';
import { type FormEvent, use, useState } from 'react';
import { secondMember } from '../../platform/presence.ts';
import type { SignInMeans } from '../../platform/sign-in-means.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { ActButtons } from '../act-buttons.tsx';
import { useCodeWhenAsked } from '../code-when-asked.tsx';
import { PasswordField } from '../fields.tsx';
import { Problem, useAct } from '../problem.tsx';
import { ProverContext } from '../prover.ts';
import { RecoveryCode } from '../recovery-code.tsx';

type Props = { means: SignInMeans; done: () => Promise<void>; close: () => void };

/** Makes a new recovery code: the password opens the key that it wraps. */
export function NewRecoveryCode({ means, done, close }: Props) {
  const { t } = useInsideText();
  const prover = use(ProverContext);
  const { busy, error, run } = useAct();
  const [password, setPassword] = useState('');
  const { attempt, codeField } = useCodeWhenAsked();
  const [made, setMade] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      await attempt(async (code) => {
        const proof = await prover.byPassword(password, undefined);
        const second = code === undefined ? {} : secondMember(code);
        setMade(await means.newRecoveryCode(password, { ...proof, ...second }));
        await done();
      });
    });
  };
  if (made !== undefined)
    return (
      <Stack role="status">
        <Text size="sm">{t('recovery.text')}</Text>
        <RecoveryCode email={means.email} code={made} />
      </Stack>
    );
  return (
    <form onSubmit={submit}>
      <Stack>
        <PasswordField label={t('proof.password')} data-autofocus value={password} change={setPassword} />
        {codeField}
        <Problem error={error} />
        <ActButtons label={t('recovery.make')} busy={busy} cancel={close} />
      </Stack>
    </form>
  );
}
