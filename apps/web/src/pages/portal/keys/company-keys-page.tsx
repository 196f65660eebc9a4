import { Alert, Button, Text } from '@mantine/core';
import type { RecoveryCopy, RecoveryKeyHolder } from '@symbolon/protocol';
import { IconDeviceLaptop, IconLock } from '@tabler/icons-react';
import { Loaded, LoadedList } from '../../../parts/loaded.tsx';
import { PortalPage, usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { Problem, useAct } from '../../../parts/problem.tsx';
import { Sessions } from '../../../parts/sessions.tsx';
import { TextLink } from '../../../parts/text-link.tsx';
import { When } from '../../../parts/when.tsx';
import { recoveryKeyQuery, wordsQuery } from '../../../platform/portal/recovery-key.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import {
  endOtherPortalSessions,
  endPortalSession,
  forgetDevice,
  holdersQuery,
  portalSessionsQuery,
  recoveryCopiesQuery,
  trustedDevicesQuery,
} from '../../../platform/portal/security.ts';
import { services } from '../../../platform/portal/services.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Avatar } from '../../../ui/avatar.tsx';
import { Group } from '../../../ui/group.tsx';
import { IconTile } from '../../../ui/icon.tsx';
import { List, Row } from '../../../ui/list.tsx';
import { Page } from '../../../ui/page.tsx';
import { Status } from '../../../ui/status.tsx';
import { EndAccount } from './end-account.tsx';
import { RegionMove } from './region-move.tsx';

/** With fewer who hold it, one accident loses everything that is sealed to the recovery key alone. */
const HOLDERS_LEAST = 2;

export function CompanyKeysPage() {
  return (
    <PortalPage>
      <Whole />
    </PortalPage>
  );
}

/** Who can open what the company sealed to itself, and where this login is signed in. */
function Whole() {
  const { t } = usePortalText();
  const login = usePortalLogin();
  return (
    <Page
      title={t('keys.title')}
      lead={t('keys.lead')}
      aside={<TextLink to="/portal/sign-in-means">{t('signInMeans.title')}</TextLink>}
    >
      {mayAs(login, 'developer') && <RecoveryKey />}
      {mayAs(login, 'admin') && <Copies />}
      <Sessions of={portalSessionsQuery} end={endPortalSession} endOthers={endOtherPortalSessions} />
      <Devices />
      {mayAs(login, 'owner') && <RegionMove />}
      {mayAs(login, 'owner') && <EndAccount />}
      <SameByApi {...sameCalls.holders} />
    </Page>
  );
}

function RecoveryKey() {
  const { t } = usePortalText();
  const key = useRead(recoveryKeyQuery);
  const holders = useRead(holdersQuery);
  const many = holders.found?.filter(({ holds }) => holds).length;
  return (
    <Group title={t('keys.recovery')} lead={t('keys.recovery.lead')}>
      <Loaded of={key} height={40}>
        {({ public_key_sha256: sha256 }) => <Words sha256={sha256} />}
      </Loaded>
      {many !== undefined && many < HOLDERS_LEAST && (
        <Alert variant="light" color="yellow" role="note">
          {t('keys.holders.few')}
        </Alert>
      )}
      <Loaded of={holders} height={100}>
        {(found) => (
          <List label={t('keys.holders')}>
            {found.map((holder) => (
              <Holder key={holder.login_id} {...holder} />
            ))}
          </List>
        )}
      </Loaded>
    </Group>
  );
}

function Words({ sha256 }: { sha256: string }) {
  const { t } = usePortalText();
  const { found } = useRead(wordsQuery(sha256));
  return (
    <Text size="sm">
      {t('keys.words')} <strong>{found ?? '…'}</strong>
    </Text>
  );
}

function Holder({ name, email, role, holds }: RecoveryKeyHolder) {
  const { t } = usePortalText();
  return (
    <Row
      leading={<Avatar name={name || email} letters={2} />}
      title={name || email}
      detail={`${email} · ${t(`portal.role.${role}`)}`}
      trailing={
        <Status tone={holds ? 'good' : 'neutral'}>{t(holds ? 'keys.holds' : 'keys.holdsNot')}</Status>
      }
    />
  );
}

function Copies() {
  const { t } = usePortalText();
  const copies = useRead(recoveryCopiesQuery);
  const { found: all = [] } = useRead(services);
  const whose = ({ service_id: id, client_id: client }: RecoveryCopy) =>
    all.find((service) => service.id === id)?.name ?? client ?? '';
  return (
    <Group title={t('keys.copies')} lead={t('keys.copies.lead')}>
      <LoadedList of={copies} none={t('keys.copies.none')} noneText={t('keys.copies.none.text')}>
        {(found) => (
          <List label={t('keys.copies')}>
            {found.map((copy) => (
              <Row
                key={copy.id}
                leading={<IconTile icon={IconLock} />}
                title={t(`keys.copy.${copy.kind}`)}
                detail={
                  <>
                    {whose(copy)} · <When at={copy.created_at} />
                  </>
                }
              />
            ))}
          </List>
        )}
      </LoadedList>
    </Group>
  );
}

function Devices() {
  const { t } = usePortalText();
  const devices = useRead(trustedDevicesQuery);
  const { busy, error, run } = useAct();
  const { found: list = [] } = devices;
  // Most have none: only those who use a second factor can trust a device.
  if (list.length === 0) return null;
  return (
    <Group title={t('keys.devices')} lead={t('keys.devices.lead')}>
      <Problem error={error} />
      <List label={t('keys.devices')}>
        {list.map(({ id, user_agent: browser, last_used_at: at }) => (
          <Row
            key={id}
            leading={<IconTile icon={IconDeviceLaptop} />}
            title={browser}
            detail={
              <>
                {t('sessions.seen')} <When at={at} />
              </>
            }
            trailing={
              <Button
                variant="default"
                size="sm"
                disabled={busy}
                aria-label={`${t('keys.devices.forget')}: ${browser}`}
                onClick={() =>
                  run(async () => {
                    await forgetDevice(id);
                    await devices.load();
                  })
                }
              >
                {t('keys.devices.forget')}
              </Button>
            }
          />
        ))}
      </List>
    </Group>
  );
}
