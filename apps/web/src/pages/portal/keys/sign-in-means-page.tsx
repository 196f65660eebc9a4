import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { useMemo } from 'react';
import { PortalPage, usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { ProverContext } from '../../../parts/prover.ts';
import { RowSheet } from '../../../parts/row-sheet.tsx';
import { NewRecoveryCode } from '../../../parts/sign-in-means/new-recovery-code.tsx';
import { PasskeysSection } from '../../../parts/sign-in-means/passkeys-section.tsx';
import { PasswordSection } from '../../../parts/sign-in-means/password-section.tsx';
import { TotpSection } from '../../../parts/sign-in-means/totp-section.tsx';
import { type Locked, WhenOpen } from '../../../parts/sign-in-means/when-open.tsx';
import { Unlock } from '../../../parts/unlock.tsx';
import { proverOf } from '../../../platform/portal/presence.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { signInToPortal } from '../../../platform/portal/session.ts';
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
  const locked: Locked = (done) => (
    <Unlock
      by={(password) => signInToPortal(means.email, password)}
      text={t('signInMeans.locked')}
      submit={t('app.continue')}
      done={done}
    />
  );
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
        <Recovery means={means} locked={locked} />
        <SameByApi {...sameCalls.secondFactor} />
      </Page>
    </ProverContext>
  );
}

function Recovery({ means, locked }: { means: SignInMeans; locked: Locked }) {
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
            <WhenOpen means={means} locked={locked}>
              {() => <NewRecoveryCode means={means} done={async () => undefined} close={close} />}
            </WhenOpen>
          )}
        </RowSheet>
      </List>
    </Group>
  );
}
