import { Button, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { EmailField, PasswordField } from '../parts/fields.tsx';
import { Frame, Sheet } from '../parts/frame.tsx';
import { Problem, useAct } from '../parts/problem.tsx';
import { SecondFactorForm } from '../parts/second-factor-form.tsx';
import { TextLink } from '../parts/text-link.tsx';
import { type SecondStep, signIn } from '../platform/session.ts';
import { useText } from '../text/index.tsx';
import { useNext } from './next.ts';

export function SignInPage() {
  const { t } = useText();
  const next = useNext();
  return (
    <Frame>
      <Sheet title={t('signIn.title')}>
        <SignInPanel next={next.path} done={next.go} />
      </Sheet>
    </Frame>
  );
}

/** Signing in, with the ways for those who cannot. */
export function SignInPanel({ next, done }: { next: string | undefined; done?: () => void }) {
  const { t } = useText();
  return (
    <Stack gap="lg">
      <SignInForm done={done ?? (() => undefined)} />
      <Group justify="space-between">
        <Text size="sm">
          {t('signIn.noAccount')}{' '}
          <TextLink to="/register" search={{ next }}>
            {t('signIn.register')}
          </TextLink>
        </Text>
        <TextLink to="/recover" search={{ next }} size="sm">
          {t('signIn.forgot')}
        </TextLink>
      </Group>
    </Stack>
  );
}

/** Address and password. */
export function SignInForm({ done }: { done: () => void }) {
  const { t } = useText();
  const { busy, error, run } = useAct();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [second, setSecond] = useState<SecondStep>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      const step = await signIn(email.trim(), password);
      if (step === undefined) done();
      else setSecond(step);
    });
  };
  const withPasskey = () =>
    run(async () => {
      const { signInWithPasskey } = await import('../platform/passkeys.ts');
      await signInWithPasskey();
      done();
    });
  if (second) return <SecondFactorForm step={second} done={done} />;
  return (
    <form onSubmit={submit}>
      <Stack>
        <EmailField value={email} change={setEmail} withPasskeys />
        <PasswordField label={t('password')} value={password} change={setPassword} />
        <Problem error={error} />
        <Button type="submit" loading={busy}>
          {t('signIn.submit')}
        </Button>
        {'PublicKeyCredential' in globalThis && (
          <Button variant="default" disabled={busy} onClick={withPasskey}>
            {t('signIn.passkey')}
          </Button>
        )}
        <Text size="sm" c="dimmed">
          {t('signIn.private')}
        </Text>
      </Stack>
    </form>
  );
}
