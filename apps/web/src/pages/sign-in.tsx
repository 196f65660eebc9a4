import { Anchor, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Frame, Sheet } from '../parts/frame.tsx';
import { Problem, useAct } from '../parts/problem.tsx';
import { signIn } from '../platform/session.ts';
import { useText } from '../text/index.tsx';
import { useNext } from './next.ts';

export function SignInPage() {
  const { t } = useText();
  const next = useNext();
  return (
    <Frame>
      <Sheet title={t('signIn.title')}>
        <SignInForm done={next.go} />
        <Group justify="space-between">
          <Text size="sm">
            {t('signIn.noAccount')}{' '}
            <Anchor component={Link} to="/register" search={next.search as never}>
              {t('signIn.register')}
            </Anchor>
          </Text>
          <Anchor component={Link} to="/recover" search={next.search as never} size="sm">
            {t('signIn.forgot')}
          </Anchor>
        </Group>
      </Sheet>
    </Frame>
  );
}

/** Address and password. */
export function SignInForm({ done }: { done: () => void }) {
  const { t } = useText();
  const { busy, error, run } = useAct();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      await signIn(email.trim(), password);
      done();
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('email')}
          type="email"
          name="email"
          autoComplete="username webauthn"
          required
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label={t('password')}
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': t('password.show') }}
        />
        <Problem error={error} />
        <Button type="submit" loading={busy}>
          {t('signIn.submit')}
        </Button>
        <Text size="sm" c="dimmed">
          {t('signIn.private')}
        </Text>
      </Stack>
    </form>
  );
}
