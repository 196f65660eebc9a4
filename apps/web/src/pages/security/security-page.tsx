import { Stack } from '@mantine/core';
import { PageTitle } from '../../parts/frame.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import { WhoseAccount } from '../../parts/whose-account.tsx';
import { useSession } from '../../platform/session.ts';
import { useText } from '../../text/index.tsx';
import { DeletionSection } from './deletion-section.tsx';
import { PasskeysSection } from './passkeys-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { RecoverySection } from './recovery-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { TotpSection } from './totp-section.tsx';

/** How the person signs in, and what keeps others out. */
export function SecurityPage() {
  return (
    <MeFrame>
      <Sections />
    </MeFrame>
  );
}

function Sections() {
  const { t } = useText();
  const session = useSession();
  if (session.state !== 'in') return null;
  return (
    <Stack gap="lg">
      <PageTitle>{t('security.title')}</PageTitle>
      <WhoseAccount person={session.person} />
      <PasskeysSection session={session} />
      <TotpSection />
      <PasswordSection session={session} />
      <RecoverySection session={session} />
      <SessionsSection />
      <DeletionSection session={session} />
    </Stack>
  );
}
