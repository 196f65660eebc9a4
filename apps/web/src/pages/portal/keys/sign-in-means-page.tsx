import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { useMemo } from 'react';
import { PortalPage, usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { useLockedLogin, WithLoginKey } from '../../../parts/portal/with-login-key.tsx';
import { ProverContext } from '../../../parts/prover.ts';
import { RowSheet } from '../../../parts/row-sheet.tsx';
import { NewRecoveryCode } from '../../../parts/sign-in-means/new-recovery-code.tsx';
import { PasskeysSection } from '../../../parts/sign-in-means/passkeys-section.tsx';
import { PasswordSection } from '../../../parts/sign-in-means/password-section.tsx';
import { TotpSection } from '../../../parts/sign-in-means/totp-section.tsx';
import { proverOf } from '../../../platform/portal/presence.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { loginMeans } from '../../../platform/portal/sign-in-means.ts';
import type { SignInMeans } from '../../../platform/sign-in-means.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Group } from '../../../ui/group.tsx';
import { IconTile } from '../../../ui/icon.tsx';
import { List } from '../../../ui/list.tsx';
import { Note } from '../../../ui/note.tsx';
import { BackLink, Page } from '../../../ui/page.tsx';

export function SignInMeansPage() {
  return (
    <PortalPage>
      <Whole />
    </PortalPage>
  );
}

/** How the login that is signed in does so: password, passkeys, authenticator app, recovery code. */
function Whole() {
  const { t } = usePortalText();
  const login = usePortalLogin();
  const { means, prover } = useMemo(() => ({ means: loginMeans(login), prover: proverOf(login) }), [login]);
  const locked = useLockedLogin(means.email);
  return (
    <ProverContext value={prover}>
      <Page
        back={<BackLink to="/portal/security">{t('keys.title')}</BackLink>}
        title={t('signInMeans.title')}
        lead={t('signInMeans.lead', { email: means.email })}
      >
        <PasswordSection means={means} locked={locked} />
        <PasskeysSection
          means={means}
          last={(removal) => (
            <>
              <Note icon={IconAlertTriangle} tone="warn">
                {t('signInMeans.last')}
              </Note>
              {removal}
            </>
          )}
        />
        <TotpSection means={means.totp} />
        <Recovery means={means} />
        <SameByApi {...sameCalls.secondFactor} />
      </Page>
    </ProverContext>
  );
}

function Recovery({ means }: { means: SignInMeans }) {
  const { t } = usePortalText();
  return (
    <Group id="recovery" title={t('recovery.label')} lead={t('signInMeans.recovery')}>
      <List>
        <RowSheet
          heading={t('recovery.make')}
          leading={<IconTile icon={IconRefresh} />}
          title={t('recovery.make')}
          detail={t('recovery.make.text')}
        >
          {(close) => (
            <WithLoginKey>
              <NewRecoveryCode means={means} done={async () => undefined} close={close} />
            </WithLoginKey>
          )}
        </RowSheet>
      </List>
    </Group>
  );
}
