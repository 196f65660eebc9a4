import { Button, Text, UnstyledButton } from '@mantine/core';
import {
  IconArrowsRightLeft,
  IconBuilding,
  IconDatabaseExport,
  IconEye,
  IconForms,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconMail,
  IconStack2,
  IconTool,
  IconUsers,
} from '@tabler/icons-react';
import { Link, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { maintenanceQuery } from '../../platform/operator/care.ts';
import { mayAct, signOutAsOperator, useOperatorState } from '../../platform/operator/session.ts';
import { useRead } from '../../platform/read.ts';
import { OperatorTextProvider, useOperatorText } from '../../text/operator/index.tsx';
import { Desk } from '../../ui/desk.tsx';
import { Note } from '../../ui/note.tsx';
import { Mark } from '../mark.tsx';
import { PageChoices } from '../page-choices.tsx';
import classes from './operator-page.module.css';
import { OperatorSignIn } from './sign-in.tsx';

/** Shows a page of the console to an operator who is signed in, and the sign-in to everybody else, at the same address. */
export function OperatorPage({ children }: { children: ReactNode }) {
  const state = useOperatorState();
  return (
    <OperatorTextProvider>
      {state === 'in' ? <Places>{children}</Places> : <OperatorSignIn wasRefused={state === 'refused'} />}
    </OperatorTextProvider>
  );
}

function Places({ children }: { children: ReactNode }) {
  const { t } = useOperatorText();
  const here = useRouterState({ select: ({ location }) => location.pathname });
  const { found } = useRead(maintenanceQuery);
  const isKept = found !== undefined && (found.writes_paused !== null || found.out_of_order !== null);
  return (
    <Desk
      head={<Whose />}
      foot={<SignedIn />}
      choices={<PageChoices />}
      label={t('operator.pages')}
      skip={t('app.skip')}
      menu={t('operator.pages')}
      here={here}
      groups={[
        {
          places: [
            { to: '/operator', title: t('well.title'), icon: IconLayoutDashboard },
            { to: '/operator/companies', title: t('companies.title'), icon: IconBuilding },
            { to: '/operator/people', title: t('persons.title'), icon: IconUsers },
            { to: '/operator/moves', title: t('moves.title'), icon: IconArrowsRightLeft },
            { to: '/operator/queues', title: t('queues.title'), icon: IconStack2 },
          ],
        },
        {
          title: t('operator.care'),
          places: [
            { to: '/operator/backups', title: t('backups.title'), icon: IconDatabaseExport },
            {
              to: '/operator/maintenance',
              title: t('maintenance.title'),
              icon: IconTool,
              alarm: isKept ? t('maintenance.alarm') : undefined,
            },
            { to: '/operator/keys', title: t('keys.title'), icon: IconKey },
            { to: '/operator/field-types', title: t('types.title'), icon: IconForms },
            { to: '/operator/mail', title: t('mail.title'), icon: IconMail },
            { to: '/operator/records', title: t('records.title'), icon: IconHistory },
          ],
        },
      ]}
    >
      {!mayAct() && (
        <Note icon={IconEye} tone="accent">
          {t('operator.reads')}
        </Note>
      )}
      {children}
    </Desk>
  );
}

function Whose() {
  const { t } = useOperatorText();
  return (
    <UnstyledButton component={Link} to="/operator" className={classes.whose ?? ''}>
      <Mark size={26} />
      <span>{t('operator.title')}</span>
    </UnstyledButton>
  );
}

function SignedIn() {
  const { t } = useOperatorText();
  return (
    <div className={classes.foot}>
      <Text size="xs" c="dimmed">
        {t('operator.tab')}
      </Text>
      <Button variant="subtle" color="gray" size="compact-sm" h={36} onClick={signOutAsOperator}>
        {t('app.signOut')}
      </Button>
    </div>
  );
}
