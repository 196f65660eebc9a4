import { UnstyledButton } from '@mantine/core';
import { IconBuildingStore, IconHome, IconId, IconQrcode, IconUserCircle } from '@tabler/icons-react';
import { Link, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { readAhead } from '../platform/ahead.ts';
import { showBadge } from '../platform/badge.ts';
import { useSession } from '../platform/session.ts';
import { keepWorker } from '../platform/shared-files.ts';
import { countOf, useWaiting } from '../platform/waiting.ts';
import { InsideTextProvider, useInsideText } from '../text/inside/index.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { type Place, Shell } from '../ui/shell.tsx';
import { SignedInOnly } from './inner/signed-in-only.tsx';
import { LoadingPage } from './loading-page.tsx';
import { Wordmark } from './mark.tsx';
import classes from './me-frame.module.css';
import { Notices } from './notices.tsx';
import { Undo } from './undo.tsx';

/** Around the pages of a person who is signed in: the places of the app. */
export function MeFrame({ children }: { children: ReactNode }) {
  return (
    <InsideTextProvider loading={<LoadingPage />}>
      <SignedInOnly>
        <Places>{children}</Places>
        <Undo />
      </SignedInOnly>
    </InsideTextProvider>
  );
}

function Places({ children }: { children: ReactNode }) {
  const { t } = useInsideText();
  const here = useRouterState({ select: ({ location }) => location.pathname });
  const places = usePlaces();
  return (
    <Shell
      mark={<Wordmark />}
      label={t('app.pages')}
      skip={t('app.skip')}
      places={places}
      here={here}
      foot={<Whose />}
      notices={<Notices />}
    >
      {children}
    </Shell>
  );
}

/** Four places and one act, with what waits at the first. */
function usePlaces(): Place[] {
  const { t, count } = useInsideText();
  const number = Object.values(useWaiting()).reduce((sum, items) => sum + countOf(items), 0);
  useEffect(keepWorker, []);
  useEffect(readAhead, []);
  useEffect(() => {
    const show = () => showBadge(number);
    show();
    // The service worker marks the icon while the page is not looked at.
    document.addEventListener('visibilitychange', show);
    return () => document.removeEventListener('visibilitychange', show);
  }, [number]);
  // Whoever signs in next sees no count of this person.
  useEffect(() => () => showBadge(0), []);
  return [
    {
      to: '/me',
      title: t('place.home'),
      icon: IconHome,
      under: ['/me/approvals'],
      count: { number, words: count('app.waiting', number) },
    },
    {
      to: '/me/connections',
      title: t('place.companies'),
      icon: IconBuildingStore,
      under: [
        '/me/connections',
        '/me/messages',
        '/me/documents',
        '/me/flows',
        '/me/requests',
        '/me/enrolments',
      ],
    },
    { to: '/me/connect', title: t('place.connect'), icon: IconQrcode },
    { to: '/me/fields', title: t('place.data'), icon: IconId },
    {
      to: '/me/account',
      title: t('place.me'),
      icon: IconUserCircle,
      under: ['/me/security', '/me/activity', '/me/export'],
    },
  ];
}

function Whose() {
  const session = useSession();
  if (session.state !== 'in') return null;
  const { display_name: name } = session.person;
  return (
    <UnstyledButton component={Link} to="/me/account" className={classes.whose ?? ''}>
      <Avatar name={name} letters={2} size={28} />
      <span>{name}</span>
    </UnstyledButton>
  );
}
