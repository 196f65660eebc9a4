import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { SignedInOnly } from '../pages/signed-in-only.tsx';
import { signOut } from '../platform/session.ts';
import { useText } from '../text/index.tsx';
import { Frame } from './frame.tsx';
import classes from './me-frame.module.css';
import { ME_PAGES } from './me-pages.ts';

/** Around the pages of a person who is signed in. */
export function MeFrame({ children }: { children: ReactNode }) {
  const { t } = useText();
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
          {ME_PAGES.map(({ to, title }) => (
            <Link key={to} to={to} className={classes.link ?? ''}>
              {t(title)}
            </Link>
          ))}
        </Group>
        {children}
      </Frame>
    </SignedInOnly>
  );
}
