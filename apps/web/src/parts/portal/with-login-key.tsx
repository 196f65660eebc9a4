import { type ReactNode, useMemo } from 'react';
import { signInToPortal } from '../../platform/portal/session.ts';
import { loginMeans } from '../../platform/portal/sign-in-means.ts';
import { usePortalText } from '../../text/portal/index.tsx';
import { type Locked, WhenOpen } from '../sign-in-means/when-open.tsx';
import { Unlock } from '../unlock.tsx';
import { usePortalLogin } from './portal-page.tsx';

/** What is shown where the key of the login opens something. Who signed in without the password types it first: this browser has no key yet. */
export function WithLoginKey({ children }: { children: ReactNode }) {
  const login = usePortalLogin();
  const means = useMemo(() => loginMeans(login), [login]);
  return (
    <WhenOpen means={means} locked={useLockedLogin(means.email)}>
      {() => children}
    </WhenOpen>
  );
}

/** Signs the login in once more, by its password. */
export function useLockedLogin(email: string): Locked {
  const { t } = usePortalText();
  return (done) => (
    <Unlock
      by={(password) => signInToPortal(email, password)}
      text={t('signInMeans.locked')}
      submit={t('app.continue')}
      done={done}
    />
  );
}
