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
import { type KeptRegistration, useKeptRegistration } from '../parts/use-kept-registration.ts';
import { FORMS } from '../platform/forms.ts';
import { enterWith } from '../platform/recovery.ts';
import {
  confirmRegistration,
  type Made,
  type Registration,
  startRegistration,
} from '../platform/registration.ts';
import { useText } from '../text/index.tsx';
import { useNext } from './next.ts';

export function RegisterPage() {
  const next = useNext();
  const kept = useKeptRegistration(FORMS);
  const { name, email, ticket } = kept.value;
  const [keys, setKeys] = useState<Registration['made']>();
  const [made, setMade] = useState<Made>();
  const finish = (account: Made) => {
    kept.drop();
    setMade(account);
  };
  return (
    <Frame>
      {!made && ticket === undefined && (
        <Form
          kept={kept}
          started={(begun) => {
            if (!('ticket' in begun)) return finish(begun);
            setKeys(begun.made);
            kept.change({ name: begun.displayName, email: begun.email, ticket: begun.ticket });
          }}
        />
      )}
      {!made && ticket !== undefined && (
        <MailedCodeForm
          email={email}
          asksPassword={keys === undefined}
          confirm={async (code, password) =>
            finish(
              await confirmRegistration({ ticket, email, displayName: name, made: keys }, code, password),
            )
          }
          startOver={() => kept.change({ ticket: undefined })}
        />
      )}
      {made && (
        <RecoveryCodeSheet
          email={made.person.email}
          code={made.recoveryCode}
          finish={(typed) => enterWith(made, typed).then(next.go)}
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
  started: (begun: Registration | Made) => void;
}) {
  const { t } = useText();
  const next = useNext();
  const textOf = useErrorText();
  const { busy, error, run } = useAct();
  const { name, email } = value;
  const [password, setPassword] = useState('');
  const keyOf = error instanceof SymbolonError ? error.errorKey : '';
  const beside = (key: string) => (keyOf === key ? textOf(error) : undefined);
  const isBeside = ['sdk.password_weak', 'account.email_invalid', 'profile.display_name_invalid'].includes(
    keyOf,
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const input = { email: email.trim(), displayName: name.trim(), password };
    run(async () => started(await startRegistration(input)));
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
            value={name}
            onChange={(event) => change({ name: event.currentTarget.value })}
            error={beside('profile.display_name_invalid')}
          />
          <EmailField
            value={email}
            change={(next) => change({ email: next })}
            error={beside('account.email_invalid')}
          />
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
