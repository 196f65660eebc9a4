import { Button, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type SecondStep, unlock } from '../platform/session.ts';
import { useText } from '../text/index.tsx';
import { PasswordField } from './fields.tsx';
import { SecondFactorForm } from './inner/second-factor-form.tsx';
import { Problem, useAct } from './problem.tsx';

/** Asks for the password: the session goes on, but this browser has no key to open values with. */
export function Unlock() {
  const { t } = useText();
  const { busy, error, run } = useAct();
  const [password, setPassword] = useState('');
  const [second, setSecond] = useState<SecondStep>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => setSecond(await unlock(password)));
  };
  if (second) return <SecondFactorForm step={second} done={() => setSecond(undefined)} />;
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text>{t('unlock.text')}</Text>
        <PasswordField label={t('password')} value={password} change={setPassword} />
        <Problem error={error} />
        <Button type="submit" loading={busy}>
          {t('unlock.submit')}
        </Button>
      </Stack>
    </form>
  );
}
