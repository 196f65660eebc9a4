import { Button, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { SymbolonError } from '@symbolon/sdk/device';
import { type FormEvent, useState } from 'react';
import { EmailField, PasswordField } from '../parts/fields.tsx';
import { Frame, Sheet } from '../parts/frame.tsx';
import { MailedCodeForm } from '../parts/mailed-code-form.tsx';
import { Problem, useAct, useErrorText } from '../parts/problem.tsx';
import { RecoveryCodeSheet } from '../parts/recovery-code.tsx';
import { NeedsSiteData } from '../parts/site-data.tsx';
import { TextLink } from '../parts/text-link.tsx';
import { enterWith } from '../platform/recovery.ts';
import { confirmRegistration, type Made, type Registration, startRegistration } from '../platform/session.ts';
import { useText } from '../text/index.tsx';
import { useNext } from './next.ts';

type Step = { at: 'form' } | { at: 'code'; registration: Registration } | ({ at: 'made' } & Made);

export function RegisterPage() {
  const next = useNext();
  const [step, setStep] = useState<Step>({ at: 'form' });
  const [email, setEmail] = useState('');
  return (
    <Frame>
      {step.at === 'form' && (
        <Form
          started={(address, begun) => {
            setEmail(address);
            setStep('ticket' in begun ? { at: 'code', registration: begun } : { at: 'made', ...begun });
          }}
        />
      )}
      {step.at === 'code' && (
        <MailedCodeForm
          email={email}
          confirm={async (code) =>
            setStep({ at: 'made', ...(await confirmRegistration(step.registration, code)) })
          }
        />
      )}
      {step.at === 'made' && (
        <RecoveryCodeSheet
          email={email}
          code={step.recoveryCode}
          finish={(typed) => enterWith(step, typed).then(next.go)}
        />
      )}
    </Frame>
  );
}

function Form({ started }: { started: (email: string, begun: Registration | Made) => void }) {
  const { t } = useText();
  const next = useNext();
  const textOf = useErrorText();
  const { busy, error, run } = useAct();
  const [displayName, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const keyOf = error instanceof SymbolonError ? error.errorKey : '';
  const beside = (key: string) => (keyOf === key ? textOf(error) : undefined);
  const isBeside = ['sdk.password_weak', 'account.email_invalid', 'profile.display_name_invalid'].includes(
    keyOf,
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const input = { email: email.trim(), displayName: displayName.trim(), password };
    run(async () => started(input.email, await startRegistration(input)));
  };
  return (
    <Sheet title={t('register.title')} lead={t('register.private')}>
      <form onSubmit={submit}>
        <Stack>
          <NeedsSiteData />
          <TextInput
            label={t('register.name')}
            description={t('register.name.hint')}
            name="name"
            autoComplete="name"
            required
            maxLength={100}
            value={displayName}
            onChange={(event) => setName(event.currentTarget.value)}
            error={beside('profile.display_name_invalid')}
          />
          <EmailField value={email} change={setEmail} error={beside('account.email_invalid')} />
          <PasswordField
            label={t('password')}
            isNew
            value={password}
            change={setPassword}
            error={beside('sdk.password_weak')}
          />
          {!isBeside && <Problem error={error} />}
          <Button type="submit" loading={busy}>
            {t('register.submit')}
          </Button>
          <VisuallyHidden role="status">{busy ? t('register.working') : ''}</VisuallyHidden>
        </Stack>
      </form>
      <Text size="sm">
        {t('register.haveAccount')}{' '}
        <TextLink to="/sign-in" search={{ next: next.path }}>
          {t('signIn.submit')}
        </TextLink>
      </Text>
    </Sheet>
  );
}
