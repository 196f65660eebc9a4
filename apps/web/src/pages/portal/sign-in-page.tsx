import { Text } from '@mantine/core';
import { Navigate } from '@tanstack/react-router';
import { AwayNotice } from '../../parts/away-page.tsx';
import { Frame, Sheet } from '../../parts/frame.tsx';
import { LoadingPage } from '../../parts/loading-page.tsx';
import { PasskeyButton, PasswordSignIn } from '../../parts/password-sign-in.tsx';
import type { useAct } from '../../parts/problem.tsx';
import { TextLink } from '../../parts/text-link.tsx';
import { WhoIsIn } from '../../parts/who-is-in.tsx';
import { resumePortal, signInToPortal, usePortalSession } from '../../platform/portal/session.ts';
import { PortalTextProvider, usePortalText } from '../../text/portal/index.tsx';
import { useNext } from '../next.ts';

export function PortalSignInPage() {
  return (
    <PortalTextProvider>
      <SignIn />
    </PortalTextProvider>
  );
}

function SignIn() {
  const { t } = usePortalText();
  const next = useNext('/portal');
  const session = usePortalSession();
  const byPasskey = ({ busy, run }: ReturnType<typeof useAct>) => (
    <PasskeyButton
      busy={busy}
      signIn={() =>
        run(async () => {
          const { signInToPortalByPasskey } = await import('../../platform/portal/sign-in-means.ts');
          await signInToPortalByPasskey();
          next.go();
        })
      }
    />
  );
  if (session.state === 'unknown') return <LoadingPage />;
  if (session.state === 'in') return <Navigate to={next.path ?? '/portal'} replace />;
  return (
    <Frame>
      <Sheet title={t('portal.signIn')} lead={t('portal.signIn.lead')}>
        {session.state === 'away' && <AwayNotice error={session.error} retry={resumePortal} />}
        {session.state === 'out' && session.other !== undefined && (
          <WhoIsIn
            said={t('signIn.other', { name: session.other.company.name })}
            go={() => void resumePortal()}
            label={t('signIn.goOn', { name: session.other.company.name })}
          />
        )}
        <PasswordSignIn signIn={signInToPortal} done={next.go} other={byPasskey} />
        <TextLink to="/portal/recover" size="sm">
          {t('signIn.forgot')}
        </TextLink>
        <Text size="sm">
          {t('portal.noAccount')} <TextLink to="/portal/register">{t('portal.register')}</TextLink>
        </Text>
      </Sheet>
    </Frame>
  );
}
