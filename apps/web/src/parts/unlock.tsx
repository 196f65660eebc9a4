import { Button, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type SecondStep, unlock } from '../platform/session.ts';
import { useText } from '../text/index.tsx';
import { PasswordField } from './fields.tsx';
import { SecondFactorForm } from './inner/second-factor-form.tsx';
import { Problem, useAct } from './problem.tsx';

/** Asks for the password: the session goes on, but this browser has no key to open values with. */
export function Unlock(props: {
  by?: (password: string) => Promise<SecondStep | undefined>;
  text?: string;
  submit?: string;
  done?: () => void;
}) {
  const { by = unlock, text, submit: label, done } = props;
  const { t } = useText();
  const { busy, error, run } = useAct();
  const [password, setPassword] = useState('');
  const [second, setSecond] = useState<SecondStep>();
  const opened = () => {
    setSecond(undefined);
    done?.();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      const step = await by(password);
      if (step === undefined) opened();
      else setSecond(step);
    });
  };
  if (second) return <SecondFactorForm step={second} done={opened} />;
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text>{text ?? t('unlock.text')}</Text>
        <PasswordField label={t('password')} value={password} change={setPassword} />
        <Problem error={error} />
        <Button type="submit" loading={busy}>
          {label ?? t('unlock.submit')}
        </Button>
      </Stack>
    </form>
  );
}
