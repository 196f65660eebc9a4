import { Button } from '@mantine/core';
import { Link, Navigate } from '@tanstack/react-router';
import { createContext, type ReactNode, use, useState } from 'react';
import {
  type PortalSignedIn,
  resumePortal,
  signOutOfPortal,
  usePortalSession,
} from '../../platform/portal/session.ts';
import { PortalTextProvider, usePortalText } from '../../text/portal/index.tsx';
import { AwayPage } from '../away-page.tsx';
import { Frame } from '../frame.tsx';
import { LoadingPage } from '../loading-page.tsx';
import classes from './portal-page.module.css';
import './styles.ts';

const Session = createContext<PortalSignedIn | undefined>(undefined);

/** The login that is signed in, inside a page of the portal. */
export function usePortalLogin(): PortalSignedIn {
  const session = use(Session);
  if (session === undefined) throw new Error('This is no page of the portal.');
  return session;
}

/** Shows a page of the portal to a login that is signed in, and the sign-in to everybody else. */
export function PortalPage({ children, wide = true }: { children: ReactNode; wide?: true | 'full' }) {
  const session = usePortalSession();
  // The address of this page, also while the next one is on its way.
  const [here] = useState(() => location.pathname + location.search);
  if (session.state === 'unknown') return <LoadingPage />;
  if (session.state === 'away') return <AwayPage error={session.error} retry={resumePortal} />;
  if (session.state === 'out') return <Navigate to="/portal/sign-in" search={{ next: here }} replace />;
  return (
    <PortalTextProvider>
      <Session value={session}>
        <Frame wide={wide} aside={<Aside {...session} />}>
          {children}
        </Frame>
      </Session>
    </PortalTextProvider>
  );
}

function Aside({ company }: PortalSignedIn) {
  const { t } = usePortalText();
  return (
    <nav className={classes.nav} aria-label={t('portal.pages')}>
      <span className={classes.company}>{company.name}</span>
      <Link to="/portal" className={classes.link ?? ''} activeOptions={{ exact: true }}>
        {t('portal.services')}
      </Link>
      <Link to="/portal/plugins" className={classes.link ?? ''}>
        {t('plugins.title')}
      </Link>
      <Button variant="subtle" color="gray" onClick={() => signOutOfPortal().catch(() => undefined)}>
        {t('app.signOut')}
      </Button>
    </nav>
  );
}
