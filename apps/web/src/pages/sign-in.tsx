import { Group, Stack, Text } from '@mantine/core';
import { IconDoorExit } from '@tabler/icons-react';
import { AwayNotice } from '../parts/away-page.tsx';
import { Frame, Sheet } from '../parts/frame.tsx';
import { PasskeyButton, PasswordSignIn } from '../parts/password-sign-in.tsx';
import { TextLink } from '../parts/text-link.tsx';
import { resumeAgain, signIn, useSession } from '../platform/session.ts';
import { useText } from '../text/index.tsx';
import { Note } from '../ui/note.tsx';
import { useNext } from './next.ts';

export function SignInPage() {
  const { t } = useText();
  const next = useNext();
  const session = useSession();
  return (
    <Frame>
      <Sheet title={t('signIn.title')}>
        {session.state === 'out' && session.why !== undefined && (
          <Note icon={IconDoorExit} tone={session.why === 'signedOut' ? 'good' : 'warn'}>
            {t(`signIn.why.${session.why}`)}
          </Note>
        )}
        {session.state === 'away' && <AwayNotice error={session.error} retry={resumeAgain} />}
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

/** Address and password, or a passkey. */
export function SignInForm({ done }: { done: () => void }) {
  const withPasskey = async () => {
    const { signInWithPasskey } = await import('../platform/passkeys.ts');
    await signInWithPasskey();
    done();
  };
  return (
    <PasswordSignIn
      signIn={signIn}
      done={done}
      other={({ busy, run }) => <PasskeyButton busy={busy} signIn={() => run(withPasskey)} />}
    />
  );
}
