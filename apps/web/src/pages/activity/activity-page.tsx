import { SegmentedControl } from '@mantine/core';
import type { PersonEvent, PersonEventKind } from '@symbolon/protocol';
import {
  IconFingerprint,
  IconKey,
  IconLogin2,
  IconMail,
  IconPassword,
  IconRestore,
  IconUser,
  IconUserPlus,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useGiven } from '../../parts/given-happenings.tsx';
import { HAPPENED } from '../../parts/happened.tsx';
import { LoadedList } from '../../parts/loaded.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import { useSites } from '../../parts/site-happenings.tsx';
import { TextLink } from '../../parts/text-link.tsx';
import { When } from '../../parts/when.tsx';
import { connections } from '../../platform/connections.ts';
import { documentsQuery } from '../../platform/document-list.ts';
import { runsQuery } from '../../platform/flows/run-list.ts';
import { historyQuery } from '../../platform/history.ts';
import { type Happened, happenedOf } from '../../platform/lately.ts';
import { useRead } from '../../platform/read.ts';
import { threads } from '../../platform/thread-list.ts';
import { type InsideTexts, useInsideText } from '../../text/inside/index.tsx';
import type { Icon } from '../../ui/icon.tsx';
import { BackLink, Page } from '../../ui/page.tsx';
import { type Happening, Timeline } from '../../ui/timeline.tsx';

const SHOWN = ['all', 'account', 'companies'] as const;
type Shown = (typeof SHOWN)[number];
type Dated = { of: Exclude<Shown, 'all'>; at: string; happening: Happening };

/** What companies asked and sent, and every sign-in, the latest first. */
export function ActivityPage() {
  return (
    <MeFrame>
      <Activity />
    </MeFrame>
  );
}

function Activity() {
  const { t } = useInsideText();
  const [shown, setShown] = useState<Shown>('all');
  const { all, sheet, ...reading } = useActivity();
  const rows = all?.filter(({ of }) => shown === 'all' || of === shown);
  return (
    <Page
      back={<BackLink to="/me/account">{t('place.me')}</BackLink>}
      title={t('activity.title')}
      lead={t('activity.lead')}
    >
      <SegmentedControl
        aria-label={t('activity.show')}
        value={shown}
        onChange={(value) => setShown(value as Shown)}
        data={SHOWN.map((value) => ({ value, label: t(`activity.show.${value}`) }))}
      />
      <LoadedList
        of={{ ...reading, found: rows }}
        none={t('activity.none')}
        noneText={t('activity.none.text')}
      >
        {(found) => <Timeline label={t('activity.title')} happenings={found.map((each) => each.happening)} />}
      </LoadedList>
      {sheet}
    </Page>
  );
}

/** Made of the record of the account, of the answers to sites, and of the lists that other pages read anyway. */
function useActivity() {
  const texts = useInsideText();
  const history = useRead(historyQuery);
  const sites = useSites();
  const connected = useRead(connections).found;
  const given = useGiven(connected ?? [], ({ connection_id, company }) => (
    <TextLink to="/me/connections/$connectionId" params={{ connectionId: connection_id }}>
      {company.display_name}
    </TextLink>
  ));
  const happened = happenedOf({
    connections: connected,
    threads: useRead(threads).found,
    documents: useRead(documentsQuery).found,
    runs: useRead(runsQuery).found,
  });
  const load = async () => {
    await Promise.all([history.load(), sites.read.load()]);
  };
  const isRead = history.found !== undefined && sites.read.found !== undefined;
  const all = isRead
    ? [
        ...(history.found ?? []).map((each) => ofAccount(each, texts)),
        ...given.map((each): Dated => ({ of: 'companies', ...each })),
        ...sites.happenings.map((each): Dated => ({ of: 'companies', ...each })),
        ...happened.map((each) => ofCompany(each, texts)),
      ].sort((one, other) => Date.parse(other.at) - Date.parse(one.at))
    : undefined;
  return { all, error: history.error ?? sites.read.error, load, sheet: sites.sheet };
}

const ACCOUNT: Readonly<Record<PersonEventKind, Icon>> = {
  registered: IconUserPlus,
  signed_in: IconLogin2,
  signed_in_by_passkey: IconFingerprint,
  recovered: IconRestore,
  password_changed: IconPassword,
  recovery_code_made: IconKey,
  recovery_code_confirmed: IconKey,
  name_changed: IconUser,
  email_changed: IconMail,
};

const ofAccount = ({ id, kind, user_agent, at }: PersonEvent, { t }: Pick<InsideTexts, 't'>): Dated => ({
  of: 'account',
  at,
  happening: {
    key: `account ${id}`,
    icon: ACCOUNT[kind],
    ...(kind === 'recovered' && { tone: 'warn' as const }),
    title: t(`activity.${kind}`),
    when: <When at={at} />,
    ...(user_agent !== '' && { detail: user_agent }),
  },
});

const ofCompany = ({ key, kind, company, name, to, at }: Happened, { t }: Pick<InsideTexts, 't'>): Dated => ({
  of: 'companies',
  at,
  happening: {
    key,
    icon: HAPPENED[kind],
    tone: 'accent',
    title: t(`home.lately.${kind}`, { company }),
    when: <When at={at} />,
    detail: <TextLink to={to}>{name}</TextLink>,
  },
});
