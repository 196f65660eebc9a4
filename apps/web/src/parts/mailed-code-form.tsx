import { Button, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useText } from '../text/index.tsx';
import { ActButtons } from './act-buttons.tsx';
import { Sheet } from './frame.tsx';
import { Problem, useAct } from './problem.tsx';

/** Takes the code that was mailed to a new account's address. */
export function MailedCodeForm(props: { email: string; confirm: (code: string) => Promise<void> }) {
  const { t } = useText();
  return (
    <Sheet title={t('register.code.title')} lead={t('register.code.text', { email: props.email })}>
      <MailedCodeFields confirm={props.confirm} />
    </Sheet>
  );
}

type FieldsProps = {
  confirm: (code: string) => Promise<void>;
  /** In a sheet, which can be closed. */
  cancel?: () => void;
  /** What the code confirms, where it is no address. */
  label?: string;
};

/** Takes the code that was mailed to an address, which it confirms. */
export function MailedCodeFields({ confirm, cancel, label }: FieldsProps) {
  const { t } = useText();
  const submitText = label ?? t('register.code.submit');
  const { busy, error, run } = useAct();
  const [code, setCode] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(() => confirm(code));
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('register.code.label')}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          {...(cancel && { 'data-autofocus': true })}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Problem error={error} />
        {cancel ? (
          <ActButtons label={submitText} busy={busy} cancel={cancel} />
        ) : (
          <Button type="submit" loading={busy}>
            {submitText}
          </Button>
        )}
      </Stack>
    </form>
  );
}
