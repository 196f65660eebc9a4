import { Button, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { proverOf } from '../../platform/portal/presence.ts';
import { type PortalSignedIn, resumePortal, signOutOfPortal } from '../../platform/portal/session.ts';
import { loginMeans } from '../../platform/portal/sign-in-means.ts';
import { usePortalText } from '../../text/portal/index.tsx';
import { Frame, Sheet } from '../frame.tsx';
import { ProverContext } from '../prover.ts';
import { PasskeysSection } from '../sign-in-means/passkeys-section.tsx';
import { TotpSection } from '../sign-in-means/totp-section.tsx';

/** In place of every page of the portal, until the login has the second factor that its company requires. */
export function SecondFactorPage({ session }: { session: PortalSignedIn }) {
  const { t } = usePortalText();
  const { means, prover } = useMemo(
    () => ({ means: loginMeans(session), prover: proverOf(session) }),
    [session],
  );
  return (
    <Frame>
      <ProverContext value={prover}>
        <Sheet
          title={t('factor.missing', { company: session.company.name })}
          lead={t('factor.missing.lead', { email: session.login.email })}
        >
          <TotpSection means={means.totp} />
          <PasskeysSection means={means} last={(removal) => removal} />
          <Text size="sm">{t('factor.missing.passkey')}</Text>
          <Stack gap="xs">
            <Button onClick={() => void resumePortal()}>{t('app.continue')}</Button>
            <Button variant="subtle" color="gray" onClick={() => signOutOfPortal().catch(() => undefined)}>
              {t('app.signOut')}
            </Button>
          </Stack>
        </Sheet>
      </ProverContext>
    </Frame>
  );
}
