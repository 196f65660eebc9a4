import { Anchor, Button, PasswordInput, Stack, Textarea, TextInput, VisuallyHidden } from '@mantine/core';
import { SymbolonError } from '@symbolon/sdk/device';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Frame, Sheet } from '../parts/frame.tsx';
import { Problem, useAct, useErrorText } from '../parts/problem.tsx';
import { RecoveryCodeSheet } from '../parts/recovery-code.tsx';
import { recover } from '../platform/session.ts';
import { useText } from '../text/index.tsx';
import { useNext } from './next.ts';

export function RecoverPage() {
  const { t } = useText();
  const next = useNext();
  const textOf = useErrorText();
  const { busy, error, run } = useAct();
  const [email, setEmail] = useState('');
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const [made, setMade] = useState<Awaited<ReturnType<typeof recover>>>();
  if (made) {
    return (
      <Frame>
        <RecoveryCodeSheet email={email} code={made.recoveryCode} done={() => made.finish().then(next.go)} />
      </Frame>
    );
  }
  const keyOf = error instanceof SymbolonError ? error.errorKey : '';
  const beside = (key: string) => (keyOf === key ? textOf(error) : undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => setMade(await recover({ email: email.trim(), recoveryCode: code, password })));
  };
  return (
    <Frame>
      <Sheet title={t('recover.title')} lead={t('recover.text')}>
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              label={t('email')}
              type="email"
              name="email"
              autoComplete="username"
              required
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
            <Textarea
              label={t('recover.code')}
              description={t('recover.code.hint')}
              name="recovery-code"
              autoComplete="off"
              spellCheck={false}
              autosize
              minRows={2}
              required
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
              error={beside('crypto.key_invalid')}
            />
            <PasswordInput
              label={t('recover.password')}
              description={t('register.password.hint')}
              name="new-password"
              autoComplete="new-password"
              required
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
              visibilityToggleButtonProps={{ 'aria-label': t('password.show') }}
              error={beside('sdk.password_weak')}
            />
            {!['crypto.key_invalid', 'sdk.password_weak'].includes(keyOf) && <Problem error={error} />}
            <Button type="submit" loading={busy}>
              {t('recover.submit')}
            </Button>
            <VisuallyHidden role="status">{busy ? t('recover.working') : ''}</VisuallyHidden>
          </Stack>
        </form>
        <Anchor component={Link} to="/sign-in" search={next.search as never} size="sm">
          {t('app.back')}
        </Anchor>
      </Sheet>
    </Frame>
  );
}
