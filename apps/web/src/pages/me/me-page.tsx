import {
  IconBell,
  IconFileText,
  IconId,
  IconKey,
  IconLink,
  IconListCheck,
  IconMessage,
  IconQrcode,
  IconRoute,
  IconShieldCheck,
  IconShieldLock,
  IconWritingSign,
} from '@tabler/icons-react';
import { useOpenFields } from '../../parts/answers/use-open-fields.ts';
import { HAPPENED } from '../../parts/happened.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import { TimeLeft } from '../../parts/time-left.tsx';
import { useNow, When } from '../../parts/when.tsx';
import { connections } from '../../platform/connections.ts';
import { documentsQuery } from '../../platform/document-list.ts';
import { runsQuery } from '../../platform/flows/run-list.ts';
import { type Happened, happenedOf } from '../../platform/lately.ts';
import { personPasskeys } from '../../platform/passkeys.ts';
import { pushQuery } from '../../platform/push.ts';
import { useRead } from '../../platform/read.ts';
import { isRecoveryDue, recoveryState } from '../../platform/recovery.ts';
import { personTotp } from '../../platform/security.ts';
import { useSession } from '../../platform/session.ts';
import { threads } from '../../platform/thread-list.ts';
import { allWaiting, useWaiting } from '../../platform/waiting.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Group } from '../../ui/group.tsx';
import { type Icon, IconTile } from '../../ui/icon.tsx';
import { List, RowLink } from '../../ui/list.tsx';
import { Page } from '../../ui/page.tsx';
import type { Tone } from '../../ui/tone.ts';

/** What waits for the person, what happened lately, and one piece of advice. */
export function MePage() {
  return (
    <MeFrame>
      <Home />
    </MeFrame>
  );
}

function Home() {
  const { t } = useInsideText();
  const session = useSession();
  if (session.state !== 'in') return null;
  const [name = ''] = session.person.display_name.split(/\s/u);
  return (
    <Page title={t(`home.greeting.${partOfDay(new Date().getHours())}`, { name })}>
      <Waits />
      <FirstSteps />
      <Lately />
      <Advice />
    </Page>
  );
}

const partOfDay = (hour: number) =>
  hour >= 4 && hour < 12 ? 'morning' : hour >= 12 && hour < 18 ? 'day' : 'evening';

const KINDS: Readonly<Record<string, readonly [icon: Icon, tone: Tone]>> = {
  approvals: [IconShieldCheck, 'warn'],
  messages: [IconMessage, 'neutral'],
  documents: [IconWritingSign, 'accent'],
  flows: [IconRoute, 'accent'],
  requests: [IconLink, 'accent'],
  connections: [IconListCheck, 'accent'],
};

function Waits() {
  const texts = useInsideText();
  const { t } = texts;
  const items = allWaiting(useWaiting());
  return (
    <div aria-live="polite">
      <Group title={t('me.home.waits')}>
        {items.length === 0 ? (
          <Empty title={t('me.home.nothing')}>{t('me.home.nothing.text')}</Empty>
        ) : (
          <List>
            {items.map(({ kind, to, text, detail, until }, index) => {
              const [icon, tone] = KINDS[kind] ?? [IconFileText, 'neutral'];
              return (
                <RowLink
                  // biome-ignore lint/suspicious/noArrayIndexKey: several approvals lead to one page
                  key={`${to} ${index}`}
                  to={to}
                  parts={{
                    leading: <IconTile icon={icon} tone={tone} />,
                    title: text(texts),
                    detail: detail?.(texts),
                    trailing: until === undefined ? undefined : <TimeLeft until={until} />,
                  }}
                />
              );
            })}
          </List>
        )}
      </Group>
    </div>
  );
}

/** What gets an account going that has no company yet. Each goes when it is done. */
function FirstSteps() {
  const { t } = useInsideText();
  const isNew = useRead(connections).found?.length === 0;
  const { found: fields } = useOpenFields(isNew);
  const push = useRead(isNew ? pushQuery : undefined).found;
  if (!isNew) return null;
  return (
    <Group title={t('home.first')}>
      <List>
        {fields?.fields.length === 0 && (
          <RowLink
            to="/me/fields"
            search={{ add: '' }}
            parts={stepOf(IconId, t('home.first.field'), t('home.first.field.text'))}
          />
        )}
        <RowLink
          to="/me/connect"
          parts={stepOf(IconQrcode, t('home.first.connect'), t('home.first.connect.text'))}
        />
        {push === 'off' && (
          <RowLink
            to="/me/approvals"
            parts={stepOf(IconBell, t('home.first.push'), t('home.first.push.text'))}
          />
        )}
      </List>
    </Group>
  );
}

const LATELY_MOST = 5;

function Lately() {
  const { t } = useInsideText();
  const happened = happenedOf({
    connections: useRead(connections).found,
    threads: useRead(threads).found,
    documents: useRead(documentsQuery).found,
    runs: useRead(runsQuery).found,
  }).slice(0, LATELY_MOST);
  if (happened.length === 0) return null;
  return (
    <Group title={t('home.lately')}>
      <List>
        {happened.map((each) => (
          <RowLink
            key={each.key}
            to={each.to}
            parts={partsOf(each, t(`home.lately.${each.kind}`, { company: each.company }))}
          />
        ))}
      </List>
    </Group>
  );
}

function partsOf({ kind, company, name, at }: Happened, title: string) {
  return {
    leading: kind === 'connected' ? <Avatar name={company} /> : <IconTile icon={HAPPENED[kind]} />,
    title,
    detail: name,
    trailing: <When at={at} />,
  };
}

/** Something to do, and why. */
const stepOf = (icon: Icon, title: string, detail: string) => ({
  leading: <IconTile icon={icon} tone="accent" />,
  title,
  detail,
});

/** At most one thing that keeps the account the person's own. */
function Advice() {
  const { t } = useInsideText();
  const totp = useRead(personTotp.state).found;
  const keys = useRead(personPasskeys.all).found;
  const recovery = useRead(recoveryState).found;
  const now = useNow(60_000);
  if (totp === undefined || keys === undefined || recovery === undefined) return null;
  if (isRecoveryDue(recovery, now))
    return (
      <List label={t('home.advice')}>
        <RowLink
          to="/me/security"
          hash="recovery-check"
          parts={stepOf(IconKey, t('home.advice.recovery'), t('home.advice.recovery.text'))}
        />
      </List>
    );
  if (totp.enabled || keys.length > 0) return null;
  return (
    <List label={t('home.advice')}>
      <RowLink
        to="/me/security"
        parts={stepOf(IconShieldLock, t('home.advice.factor'), t('home.advice.factor.text'))}
      />
    </List>
  );
}
