import { Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useText } from '../text/index.tsx';
import { ActButtons } from './act-buttons.tsx';
import { PasswordField } from './fields.tsx';
import { Sheet } from './frame.tsx';
import { Problem, useAct } from './problem.tsx';

/** Takes the code that was mailed to a new account's address. */
export function MailedCodeForm(props: {
  email: string;
  /** The page was loaded again since the password was typed, which is kept nowhere. */
  asksPassword: boolean;
  /** @param password empty where it is not asked for */
  confirm: (code: string, password: string) => Promise<void>;
  /** Leads back to name and address. */
  startOver: () => void;
}) {
  const { email, asksPassword, confirm, startOver } = props;
  const { t } = useText();
  const [password, setPassword] = useState('');
  return (
    <Sheet title={t('register.code.title')} lead={t('register.code.text', { email })}>
      <MailedCodeFields confirm={(code) => confirm(code, password)}>
        {asksPassword && (
          <>
            <Text size="sm">{t('register.code.password')}</Text>
            {/* For the one who keeps passwords: whose it is. */}
            <input type="hidden" name="username" autoComplete="username" value={email} />
            <PasswordField label={t('password')} isNew value={password} change={setPassword} />
          </>
        )}
      </MailedCodeFields>
      <Button variant="subtle" color="gray" onClick={startOver}>
        {t('register.code.startOver')}
      </Button>
    </Sheet>
  );
}

type FieldsProps = {
  confirm: (code: string) => Promise<void>;
  /** In a sheet, which can be closed. */
  cancel?: () => void;
  /** What the code confirms, where it is no address. */
  label?: string;
  /** What is asked for beside the code. */
  children?: ReactNode;
};

/** Takes the code that was mailed to an address, which it confirms. */
export function MailedCodeFields({ confirm, cancel, label, children }: FieldsProps) {
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
        {children}
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
