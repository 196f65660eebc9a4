import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { SignedInOnly } from '../pages/signed-in-only.tsx';
import { signOut } from '../platform/session.ts';
import { useText } from '../text/index.tsx';
import { Frame } from './frame.tsx';
import classes from './me-frame.module.css';

/** Around the pages of a person who is signed in. */
export function MeFrame({ children }: { children: ReactNode }) {
  const { t } = useText();
  const links = [
    { to: '/me/approvals', text: t('approvals.title') },
    { to: '/me/enrolments', text: t('enrolments.title') },
    { to: '/me/security', text: t('security.title') },
  ];
  return (
    <SignedInOnly>
      <Frame
        wide
        aside={
          <Button variant="subtle" color="gray" onClick={signOut}>
            {t('app.signOut')}
          </Button>
        }
      >
        <Group component="nav" gap={4} mb="lg" aria-label={t('app.pages')} className={classes.nav}>
          {links.map(({ to, text }) => (
            <Link key={to} to={to} className={classes.link ?? ''}>
              {text}
            </Link>
          ))}
        </Group>
        {children}
      </Frame>
    </SignedInOnly>
  );
}
