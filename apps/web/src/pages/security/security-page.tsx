import { Button } from '@mantine/core';
import { MeFrame } from '../../parts/me-frame.tsx';
import { Sessions } from '../../parts/sessions.tsx';
import { PasskeysSection } from '../../parts/sign-in-means/passkeys-section.tsx';
import { PasswordSection } from '../../parts/sign-in-means/password-section.tsx';
import { TotpSection } from '../../parts/sign-in-means/totp-section.tsx';
import { Unlock } from '../../parts/unlock.tsx';
import { personMeans } from '../../platform/passkeys.ts';
import { endOtherSessions, endSession, sessions } from '../../platform/security.ts';
import { signOut, useSession } from '../../platform/session.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { BackLink, Page } from '../../ui/page.tsx';
import { LastPasskey } from './last-passkey.tsx';
import { RecoverySection } from './recovery-section.tsx';

/** How the person signs in, and what keeps others out. */
export function SecurityPage() {
  return (
    <MeFrame>
      <Sections />
    </MeFrame>
  );
}

function Sections() {
  const { t } = useInsideText();
  const session = useSession();
  if (session.state !== 'in') return null;
  const means = personMeans(session);
  return (
    <Page
      back={<BackLink to="/me/account">{t('place.me')}</BackLink>}
      title={t('security.title')}
      aside={
        <Button variant="default" onClick={signOut}>
          {t('app.signOut')}
        </Button>
      }
    >
      <PasskeysSection
        means={means}
        last={(removal, cancel) => (
          <LastPasskey person={session.person} cancel={cancel}>
            {removal}
          </LastPasskey>
        )}
      />
      <TotpSection means={means.totp} />
      <PasswordSection means={means} locked={() => <Unlock />} />
      <RecoverySection session={session} means={means} />
      <Sessions of={sessions} end={endSession} endOthers={endOtherSessions} />
    </Page>
  );
}
