import { Button, Stack, Text, TextInput } from '@mantine/core';
import { Navigate, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { EmailField, PasswordField } from '../../parts/fields.tsx';
import { Frame, Sheet } from '../../parts/frame.tsx';
import { LoadingPage } from '../../parts/loading-page.tsx';
import { MailedCodeForm } from '../../parts/mailed-code-form.tsx';
import { Problem, useAct } from '../../parts/problem.tsx';
import { RecoveryCodeSheet } from '../../parts/recovery-code.tsx';
import { NeedsSiteData } from '../../parts/site-data.tsx';
import { TextLink } from '../../parts/text-link.tsx';
import {
  type CompanyRegistration,
  confirmCompany,
  type RegisteredCompany,
  startCompany,
} from '../../platform/portal/registration.ts';
import { usePortalSession } from '../../platform/portal/session.ts';
import { PortalTextProvider, usePortalText } from '../../text/portal/index.tsx';

type Step =
  | { at: 'form' }
  | { at: 'code'; registration: CompanyRegistration }
  | ({ at: 'made' } & RegisteredCompany);

export function PortalRegisterPage() {
  return (
    <PortalTextProvider>
      <Register />
    </PortalTextProvider>
  );
}

function Register() {
  const session = usePortalSession();
  const navigate = useNavigate();
  const [step, setStep] = useState<Step>({ at: 'form' });
  const [email, setEmail] = useState('');
  if (session.state === 'unknown') return <LoadingPage />;
  if (session.state === 'in') return <Navigate to="/portal" replace />;
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
            setStep({ at: 'made', ...(await confirmCompany(step.registration, code)) })
          }
        />
      )}
      {step.at === 'made' && (
        <RecoveryCodeSheet
          email={email}
          code={step.recoveryCode}
          finish={async () => {
            await step.finish();
            await navigate({ to: '/portal' });
          }}
        />
      )}
    </Frame>
  );
}

function Form({
  started,
}: {
  started: (email: string, begun: CompanyRegistration | RegisteredCompany) => void;
}) {
  const { t } = usePortalText();
  const { busy, error, run } = useAct();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const input = { email: email.trim(), name: name.trim(), password };
    run(async () => started(input.email, await startCompany(input)));
  };
  return (
    <Sheet title={t('portal.register')} lead={t('portal.register.lead')}>
      <form onSubmit={submit}>
        <Stack>
          <NeedsSiteData />
          <TextInput
            label={t('portal.register.name')}
            description={t('portal.register.name.hint')}
            name="organization"
            autoComplete="organization"
            required
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <EmailField value={email} change={setEmail} />
          <PasswordField label={t('password')} isNew value={password} change={setPassword} />
          <Problem error={error} />
          <Button type="submit" loading={busy}>
            {t('portal.register.submit')}
          </Button>
        </Stack>
      </form>
      <Text size="sm">
        {t('portal.register.haveLogin')} <TextLink to="/portal/sign-in">{t('signIn.submit')}</TextLink>
      </Text>
    </Sheet>
  );
}
