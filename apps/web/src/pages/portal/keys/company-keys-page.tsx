import { Button } from '@mantine/core';
import { IconDeviceLaptop } from '@tabler/icons-react';
import { PortalPage, usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { Problem, useAct } from '../../../parts/problem.tsx';
import { Sessions } from '../../../parts/sessions.tsx';
import { TextLink } from '../../../parts/text-link.tsx';
import { When } from '../../../parts/when.tsx';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import {
  endOtherPortalSessions,
  endPortalSession,
  forgetDevice,
  portalSessionsQuery,
  trustedDevicesQuery,
} from '../../../platform/portal/security.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Group } from '../../../ui/group.tsx';
import { IconTile } from '../../../ui/icon.tsx';
import { List, Row } from '../../../ui/list.tsx';
import { Page } from '../../../ui/page.tsx';
import { AccountKey } from './account-key.tsx';
import { EndAccount } from './end-account.tsx';
import { Copies } from './recovery-copies.tsx';
import { RecoveryKey } from './recovery-key.tsx';
import { RegionMove } from './region-move.tsx';

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
      {mayAs(login, 'admin') && <AccountKey />}
      <Sessions of={portalSessionsQuery} end={endPortalSession} endOthers={endOtherPortalSessions} />
      <Devices />
      {mayAs(login, 'owner') && <RegionMove />}
      {mayAs(login, 'owner') && <EndAccount />}
      {mayAs(login, 'admin') && <SameByApi {...sameCalls.holders} />}
    </Page>
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
