import { Button, Text, UnstyledButton } from '@mantine/core';
import {
  IconApps,
  IconFileText,
  IconHistory,
  IconId,
  IconKey,
  IconLayoutDashboard,
  IconLogin2,
  IconMessages,
  IconPlug,
  IconRobot,
  IconShieldLock,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react';
import { Link, Navigate, useRouterState } from '@tanstack/react-router';
import { createContext, lazy, type ReactNode, Suspense, use, useState } from 'react';
import { services } from '../../platform/portal/services.ts';
import {
  mayAs,
  type PortalSignedIn,
  resumePortal,
  signOutOfPortal,
  usePortalSession,
  whenSignedOutOfPortal,
} from '../../platform/portal/session.ts';
import { useRead } from '../../platform/read.ts';
import { forgetUndo } from '../../platform/undo.ts';
import { PortalTextProvider, usePortalText } from '../../text/portal/index.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Desk, type DeskGroup } from '../../ui/desk.tsx';
import { AwayPage } from '../away-page.tsx';
import { LoadingPage } from '../loading-page.tsx';
import { PageChoices } from '../page-choices.tsx';
import { TextLink } from '../text-link.tsx';
import { Undo } from '../undo.tsx';
import { GoTo } from './go-to.tsx';
import classes from './portal-page.module.css';
import './styles.ts';

const SecondFactorPage = lazy(() =>
  import('./second-factor-page.tsx').then(({ SecondFactorPage }) => ({ default: SecondFactorPage })),
);

whenSignedOutOfPortal(forgetUndo);

const Session = createContext<PortalSignedIn | undefined>(undefined);

/** The login that is signed in, inside a page of the portal. */
export function usePortalLogin(): PortalSignedIn {
  const session = use(Session);
  if (session === undefined) throw new Error('This is no page of the portal.');
  return session;
}

/** Shows a page of the portal to a login that is signed in, and the sign-in to everybody else. */
export function PortalPage({ children, full = false }: { children: ReactNode; full?: boolean }) {
  const session = usePortalSession();
  // The address of this page, also while the next one is on its way.
  const [here] = useState(() => location.pathname + location.search);
  if (session.state === 'unknown') return <LoadingPage />;
  if (session.state === 'away') return <AwayPage error={session.error} retry={resumePortal} />;
  if (session.state === 'out') return <Navigate to="/portal/sign-in" search={{ next: here }} replace />;
  return (
    <PortalTextProvider loading={<LoadingPage />}>
      <Session value={session}>
        {session.lacksFactor ? (
          <Suspense fallback={<LoadingPage />}>
            <SecondFactorPage session={session} />
          </Suspense>
        ) : (
          <Places full={full} {...session}>
            {children}
          </Places>
        )}
        <Undo />
      </Session>
    </PortalTextProvider>
  );
}

function Places({ full, company, login, children }: PortalSignedIn & { full: boolean; children: ReactNode }) {
  const { t } = usePortalText();
  const here = useRouterState({ select: ({ location }) => location.pathname });
  const groups = useGroups();
  return (
    <Desk
      head={<Whose name={company.name} />}
      find={<GoTo groups={groups} />}
      foot={<SignedInAs name={login.name || login.email} role={t(`portal.role.${login.role}`)} />}
      choices={<PageChoices />}
      label={t('portal.pages')}
      skip={t('app.skip')}
      menu={t('portal.menu')}
      groups={groups}
      here={here}
      full={full}
    >
      {children}
    </Desk>
  );
}

function Whose({ name }: { name: string }) {
  return (
    <UnstyledButton component={Link} to="/portal" className={classes.whose ?? ''}>
      <Avatar name={name} size={28} />
      <span>{name}</span>
    </UnstyledButton>
  );
}

function SignedInAs({ name, role }: { name: string; role: string }) {
  const { t } = usePortalText();
  return (
    <div className={classes.login}>
      <Text size="sm" fw={600} truncate>
        {name}
      </Text>
      <Text size="xs" c="dimmed">
        {role}
      </Text>
      <TextLink to="/portal/sign-in-means" size="sm" className={classes.means ?? ''}>
        {t('signInMeans.title')}
      </TextLink>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        h={36}
        onClick={() => signOutOfPortal().catch(() => undefined)}
      >
        {t('app.signOut')}
      </Button>
    </div>
  );
}

/** The whole account: what it offers, what developers need, and the company itself. */
function useGroups(): DeskGroup[] {
  const { t } = usePortalText();
  const { found = [] } = useRead(services);
  return [
    {
      places: [
        { to: '/portal', title: t('overview.title'), icon: IconLayoutDashboard },
        { to: '/portal/customers', title: t('customers.title'), icon: IconUsers },
        { to: '/portal/messages', title: t('inbox.title'), icon: IconMessages },
        { to: '/portal/documents', title: t('documents.title'), icon: IconFileText },
        { to: '/portal/services', title: t('portal.services'), icon: IconApps },
      ],
    },
    ...(found.length === 0
      ? []
      : [
          {
            title: t('portal.group.services'),
            places: found.slice(0, SHOWN_SERVICES).map(({ id, name }) => {
              const at = `/portal/services/${id}`;
              return {
                to: at,
                title: name,
                inner: [
                  { to: `${at}/asks`, title: t('asks.place') },
                  { to: `${at}/code`, title: t('code.place') },
                  { to: `${at}/flows`, title: t('flows.title') },
                  { to: `${at}/events`, title: t('events.title') },
                  { to: `${at}/logs`, title: t('logs.title') },
                  { to: `${at}/settings`, title: t('settings.place') },
                ],
              };
            }),
          },
        ]),
    {
      title: t('portal.group.developers'),
      places: [
        { to: '/portal/access', title: t('access.title'), icon: IconKey },
        { to: '/portal/webhooks', title: t('webhooks.title'), icon: IconWebhook },
        { to: '/portal/apps', title: t('apps.title'), icon: IconLogin2 },
        { to: '/portal/clients', title: t('clients.title'), icon: IconRobot },
        { to: '/portal/plugins', title: t('plugins.title'), icon: IconPlug },
      ],
    },
    {
      title: t('portal.group.company'),
      places: [
        { to: '/portal/profile', title: t('profile.title'), icon: IconId },
        { to: '/portal/team', title: t('team.title'), icon: IconUsersGroup },
        { to: '/portal/security', title: t('keys.title'), icon: IconShieldLock },
        ...(mayAs(usePortalLogin(), 'admin')
          ? [{ to: '/portal/audit', title: t('audit.title'), icon: IconHistory }]
          : []),
      ],
    },
  ];
}

/** More are reached by the list of services. */
const SHOWN_SERVICES = 8;
