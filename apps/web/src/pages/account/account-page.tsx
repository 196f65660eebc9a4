import { Button, Text } from '@mantine/core';
import {
  IconActivity,
  IconBell,
  IconDeviceLaptop,
  IconFingerprint,
  IconKey,
  IconLanguage,
  IconPackageExport,
  IconPassword,
  IconShieldCheck,
  IconSun,
} from '@tabler/icons-react';
import { CopyButton } from '../../parts/copy-button.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import { useOwnPhoto } from '../../parts/own-photo.ts';
import { AppearanceChoice, LanguageChoice } from '../../parts/page-choices.tsx';
import { useNow, When } from '../../parts/when.tsx';
import { personPasskeys } from '../../platform/passkeys.ts';
import { useRead } from '../../platform/read.ts';
import { isRecoveryDue, recoveryState } from '../../platform/recovery.ts';
import { personTotp, sessions } from '../../platform/security.ts';
import { type SignedIn, signOut, useSession } from '../../platform/session.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Group } from '../../ui/group.tsx';
import { IconTile } from '../../ui/icon.tsx';
import { List, Row, RowLink } from '../../ui/list.tsx';
import { Page } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import classes from './account-page.module.css';
import { DeletionSection } from './deletion-section.tsx';
import { EmailRow } from './email-row.tsx';
import { NameRow } from './name-row.tsx';
import { PhotoRow } from './photo-row.tsx';

/** Who the person is here, what keeps the account theirs, and how the pages look. */
export function AccountPage() {
  const session = useSession();
  return <MeFrame>{session.state === 'in' && <Account session={session} />}</MeFrame>;
}

function Account({ session }: { session: SignedIn }) {
  const { t } = useInsideText();
  const { field, picture } = useOwnPhoto();
  return (
    <Page title={t('place.me')}>
      <Who session={session} picture={picture} />
      <WaysIn />
      <Things session={session} photo={field} />
      <Looks />
      <DeletionSection session={session} />
      <Button variant="default" onClick={signOut}>
        {t('app.signOut')}
      </Button>
    </Page>
  );
}

function Who({ session: { person }, picture }: { session: SignedIn; picture: string | undefined }) {
  const { t } = useInsideText();
  return (
    <div className={classes.who}>
      <Avatar name={person.display_name} picture={picture} letters={2} size={60} />
      <div className={classes.words}>
        <Text fw={650} size="lg">
          {person.display_name}
        </Text>
        <Text size="sm" c="dimmed">
          {person.email} · {t('me.shareCode', { code: person.share_code })}
        </Text>
      </div>
      <CopyButton value={person.share_code} label={t('me.copyCode')} />
    </div>
  );
}

/** How the person gets in, with what is known of each. */
function WaysIn() {
  const { t } = useInsideText();
  return (
    <Group title={t('account.ways')}>
      <List>
        <PasskeysRow />
        <TotpRow />
        <RowLink
          to="/me/security"
          hash="password"
          parts={{ leading: <IconTile icon={IconPassword} />, title: t('account.password') }}
        />
        <RecoveryRow />
        <SessionsRow />
      </List>
    </Group>
  );
}

function PasskeysRow() {
  const { t } = useInsideText();
  const keys = useRead(personPasskeys.all).found;
  const each = (keys ?? []).map(({ name, opens_key }) =>
    t(opens_key ? 'account.passkeys.opens' : 'account.passkeys.signs', { name }),
  );
  return (
    <RowLink
      to="/me/security"
      hash="passkeys"
      parts={{
        leading: <IconTile icon={IconFingerprint} tone="accent" />,
        title: t('passkeys.title'),
        detail: each.length > 0 ? each.join(' · ') : t('account.passkeys.text'),
        trailing: each.length > 0 ? <Status tone="good">{each.length}</Status> : undefined,
      }}
    />
  );
}

function TotpRow() {
  const { t } = useInsideText();
  const totp = useRead(personTotp.state).found;
  return (
    <RowLink
      to="/me/security"
      hash="totp"
      parts={{
        leading: <IconTile icon={IconShieldCheck} tone="accent" />,
        title: t('account.totp'),
        detail: t('account.totp.text'),
        trailing: totp?.enabled ? <Status tone="good">{t('account.on')}</Status> : undefined,
      }}
    />
  );
}

function RecoveryRow() {
  const { t } = useInsideText();
  const state = useRead(recoveryState).found;
  const now = useNow(60_000);
  const isDue = state !== undefined && isRecoveryDue(state, now);
  const at = state?.confirmed_at;
  return (
    <RowLink
      to="/me/security"
      hash="recovery"
      parts={{
        leading: <IconTile icon={IconKey} tone={isDue ? 'warn' : 'accent'} />,
        title: t('account.recovery'),
        detail: at ? (
          <>
            {t('recovery.found')} <When at={at} />
          </>
        ) : (
          t('account.recovery.text')
        ),
        trailing: isDue ? <Status tone="warn">{t('recovery.due')}</Status> : undefined,
      }}
    />
  );
}

function SessionsRow() {
  const { t, count } = useInsideText();
  const devices = useRead(sessions).found;
  return (
    <RowLink
      to="/me/security"
      hash="sessions"
      parts={{
        leading: <IconTile icon={IconDeviceLaptop} />,
        title: t('sessions.title'),
        ...(devices && { detail: count('account.devices', devices.length) }),
      }}
    />
  );
}

/** What is the person's own. */
function Things({ session, photo }: { session: SignedIn; photo: ReturnType<typeof useOwnPhoto>['field'] }) {
  const { t } = useInsideText();
  return (
    <Group title={t('account.things')}>
      <List>
        <NameRow session={session} />
        <PhotoRow field={photo} />
        <EmailRow session={session} />
        <RowLink
          to="/me/activity"
          parts={{
            leading: <IconTile icon={IconActivity} />,
            title: t('activity.title'),
            detail: t('account.activity.text'),
          }}
        />
        <RowLink
          to="/me/export"
          parts={{
            leading: <IconTile icon={IconPackageExport} />,
            title: t('export.title'),
            detail: t('account.export.text'),
          }}
        />
      </List>
    </Group>
  );
}

/** Notifications, language and appearance. */
function Looks() {
  const { t } = useInsideText();
  return (
    <Group title={t('account.looks')}>
      <List>
        <RowLink
          to="/me/approvals"
          parts={{
            leading: <IconTile icon={IconBell} />,
            title: t('account.notifications'),
            detail: t('account.notifications.text'),
          }}
        />
        <Row
          leading={<IconTile icon={IconLanguage} />}
          title={t('app.language')}
          trailing={<LanguageChoice />}
        />
        <Row
          leading={<IconTile icon={IconSun} />}
          title={t('app.appearance')}
          trailing={<AppearanceChoice />}
        />
      </List>
    </Group>
  );
}
