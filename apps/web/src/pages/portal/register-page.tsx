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
import { type KeptRegistration, useKeptRegistration } from '../../parts/use-kept-registration.ts';
import { PORTAL_FORMS } from '../../platform/forms.ts';
import {
  type CompanyRegistration,
  confirmCompany,
  type RegisteredCompany,
  startCompany,
} from '../../platform/portal/registration.ts';
import { usePortalSession } from '../../platform/portal/session.ts';
import { PortalTextProvider, usePortalText } from '../../text/portal/index.tsx';

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
  const kept = useKeptRegistration(PORTAL_FORMS);
  const { name, email, ticket } = kept.value;
  const [keys, setKeys] = useState<CompanyRegistration['made']>();
  const [made, setMade] = useState<RegisteredCompany>();
  const finish = (company: RegisteredCompany) => {
    kept.drop();
    setMade(company);
  };
  if (session.state === 'unknown') return <LoadingPage />;
  if (session.state === 'in') return <Navigate to="/portal" replace />;
  return (
    <Frame>
      {!made && ticket === undefined && (
        <Form
          kept={kept}
          started={(begun) => {
            if (!('ticket' in begun)) return finish(begun);
            setKeys(begun.made);
            kept.change({ name: begun.name, email: begun.email, ticket: begun.ticket });
          }}
        />
      )}
      {!made && ticket !== undefined && (
        <MailedCodeForm
          email={email}
          asksPassword={keys === undefined}
          confirm={async (code, password) =>
            finish(await confirmCompany({ ticket, email, name, made: keys }, code, password))
          }
          startOver={() => kept.change({ ticket: undefined })}
        />
      )}
      {made && (
        <RecoveryCodeSheet
          email={email}
          code={made.recoveryCode}
          finish={async () => {
            await made.finish();
            await navigate({ to: '/portal' });
          }}
        />
      )}
    </Frame>
  );
}

function Form({
  kept: { value, change },
  started,
}: {
  kept: KeptRegistration;
  started: (begun: CompanyRegistration | RegisteredCompany) => void;
}) {
  const { t } = usePortalText();
  const { busy, error, run } = useAct();
  const { name, email } = value;
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const input = { email: email.trim(), name: name.trim(), password };
    run(async () => started(await startCompany(input)));
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
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <EmailField value={email} change={(next) => change({ email: next })} />
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
