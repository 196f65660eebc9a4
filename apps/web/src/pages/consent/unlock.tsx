import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Problem, useAct } from '../../parts/problem.tsx';
import { SecondFactorForm } from '../../parts/second-factor-form.tsx';
import { type SecondStep, unlock } from '../../platform/session.ts';
import { useText } from '../../text/index.tsx';

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
        <PasswordInput
          label={t('password')}
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': t('password.show') }}
        />
        <Problem error={error} />
        <Button type="submit" loading={busy}>
          {t('unlock.submit')}
        </Button>
      </Stack>
    </form>
  );
}
