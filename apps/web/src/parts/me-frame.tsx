import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { signOut } from '../platform/session.ts';
import { countOf, useWaiting } from '../platform/waiting.ts';
import { useText } from '../text/index.tsx';
import { Frame } from './frame.tsx';
import { ME_PAGES } from './inner/me-pages.ts';
import { SignedInOnly } from './inner/signed-in-only.tsx';
import { WaitingCount } from './inner/waiting-count.tsx';
import classes from './me-frame.module.css';

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
        <MeNav />
        {children}
      </Frame>
    </SignedInOnly>
  );
}

function MeNav() {
  const { t } = useText();
  const waits = useWaiting();
  const nav = useRef<HTMLDivElement>(null);
  // On a phone the links are wider than the window.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, []);
  return (
    <Group ref={nav} component="nav" gap={4} mb="lg" aria-label={t('app.pages')} className={classes.nav}>
      {ME_PAGES.map(({ to, title, waiting }) => (
        <Link key={to} to={to} activeOptions={{ exact: to === '/me' }} className={classes.link ?? ''}>
          {t(title)}
          {waiting !== undefined && <WaitingCount count={countOf(waits[waiting])} />}
        </Link>
      ))}
    </Group>
  );
}
