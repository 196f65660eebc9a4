import { Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useText } from '../text/index.tsx';
import { ActButtons } from './act-buttons.tsx';
import { useCodeWhenAsked } from './code-when-asked.tsx';
import { PasswordField } from './fields.tsx';
import { Problem, useAct } from './problem.tsx';

/** Asks for the password where it opens a key: nothing else proves what it does. A code is asked for where the platform asks. */
export function PasswordForm(props: {
  label: string;
  text?: string;
  disabled?: boolean;
  act: (password: string, code: string | undefined) => Promise<void>;
  cancel: () => void;
}) {
  const { label, text, disabled = false, act, cancel } = props;
  const { t } = useText();
  const { busy, error, run } = useAct();
  const [password, setPassword] = useState('');
  const { attempt, codeField } = useCodeWhenAsked();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(() => attempt((code) => act(password, code)));
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {text !== undefined && <Text size="sm">{text}</Text>}
        <PasswordField label={t('proof.password')} data-autofocus value={password} change={setPassword} />
        {codeField}
        <Problem error={error} />
        <ActButtons label={label} busy={busy} disabled={disabled} cancel={cancel} />
      </Stack>
    </form>
  );
}
