import { Button, PasswordInput, Stack, Textarea, TextInput, VisuallyHidden } from '@mantine/core';
import { SymbolonError } from '@symbolon/sdk/device';
import { type FormEvent, useState } from 'react';
import { Frame, Sheet } from '../parts/frame.tsx';
import { Problem, useAct, useErrorText } from '../parts/problem.tsx';
import { RecoveryCodeSheet } from '../parts/recovery-code.tsx';
import { TextLink } from '../parts/text-link.tsx';
import { secondMember } from '../platform/presence.ts';
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
  const [code2, setCode2] = useState('');
  const [needsSecond, setNeedsSecond] = useState(false);
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
    const second = needsSecond ? secondMember(code2) : undefined;
    const input = { email: email.trim(), recoveryCode: code, password, ...(second && { second }) };
    run(async () => {
      try {
        setMade(await recover(input));
      } catch (failure) {
        if (!isTwoFactorRequired(failure) || needsSecond) throw failure;
        setNeedsSecond(true);
      }
    });
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
            {needsSecond && (
              <TextInput
                label={t('proof.totp')}
                description={t('proof.totp.hint')}
                name="code"
                autoComplete="one-time-code"
                required
                value={code2}
                onChange={(event) => setCode2(event.currentTarget.value)}
              />
            )}
            {!['crypto.key_invalid', 'sdk.password_weak'].includes(keyOf) && <Problem error={error} />}
            <Button type="submit" loading={busy}>
              {t('recover.submit')}
            </Button>
            <VisuallyHidden role="status">{busy ? t('recover.working') : ''}</VisuallyHidden>
          </Stack>
        </form>
        <TextLink to="/sign-in" search={{ next: next.path }} size="sm">
          {t('app.back')}
        </TextLink>
      </Sheet>
    </Frame>
  );
}

function isTwoFactorRequired(error: unknown): boolean {
  return error instanceof SymbolonError && error.errorKey === 'auth.two_factor_required';
}
