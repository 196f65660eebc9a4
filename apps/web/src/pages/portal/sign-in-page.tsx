import { Navigate } from '@tanstack/react-router';
import { AwayNotice } from '../../parts/away-page.tsx';
import { Frame, Sheet } from '../../parts/frame.tsx';
import { LoadingPage } from '../../parts/loading-page.tsx';
import { PasswordSignIn } from '../../parts/password-sign-in.tsx';
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
  if (session.state === 'unknown') return <LoadingPage />;
  if (session.state === 'in') return <Navigate to={next.path ?? '/portal'} replace />;
  return (
    <Frame>
      <Sheet title={t('portal.signIn')} lead={t('portal.signIn.lead')}>
        {session.state === 'away' && <AwayNotice error={session.error} retry={resumePortal} />}
        <PasswordSignIn signIn={signInToPortal} done={next.go} />
      </Sheet>
    </Frame>
  );
}
