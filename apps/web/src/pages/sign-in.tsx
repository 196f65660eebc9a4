import { Group, Stack, Text } from '@mantine/core';
import { IconDoorExit } from '@tabler/icons-react';
import { AwayNotice } from '../parts/away-page.tsx';
import { Frame, Sheet } from '../parts/frame.tsx';
import { PasskeyButton, PasswordSignIn } from '../parts/password-sign-in.tsx';
import { TextLink } from '../parts/text-link.tsx';
import { WhoIsIn } from '../parts/who-is-in.tsx';
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
      <AlreadyIn done={done ?? (() => undefined)} />
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

/** Whoever is signed in goes on; whoever has signed in beside this page is asked for before the page becomes theirs. */
function AlreadyIn({ done }: { done: () => void }) {
  const { t } = useText();
  const session = useSession();
  if (session.state === 'in') {
    const { display_name: name } = session.person;
    return <WhoIsIn said={t('me.title', { name })} go={done} label={t('signIn.goOn', { name })} />;
  }
  if (session.state !== 'out' || session.other === undefined) return null;
  const { display_name: name } = session.other;
  const go = () => void resumeAgain().then(done);
  return <WhoIsIn said={t('signIn.other', { name })} go={go} label={t('signIn.goOn', { name })} />;
}

/** Address and password, or a passkey. */
function SignInForm({ done }: { done: () => void }) {
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
