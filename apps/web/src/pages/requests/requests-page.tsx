import { Button, Stack, Text } from '@mantine/core';
import { CompanyAvatar } from '../../parts/company-avatar.tsx';
import { LoadedList } from '../../parts/loaded.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import { ToConnect } from '../../parts/next-step.tsx';
import { Problem, useAct } from '../../parts/problem.tsx';
import { When } from '../../parts/when.tsx';
import { useRead } from '../../platform/read.ts';
import { type Blocked, blockedServices, openRequests, unblock } from '../../platform/requests.ts';
import { refreshWaiting } from '../../platform/waiting.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { Group } from '../../ui/group.tsx';
import { List, Row, RowLink } from '../../ui/list.tsx';
import { Page } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';

/** Services that ask for a connection, and those that may not ask any more. */
export function RequestsPage() {
  return (
    <MeFrame>
      <Requests />
    </MeFrame>
  );
}

/** The list. One request opens as a sheet over it. */
export function Requests() {
  const { t } = useInsideText();
  const open = useRead(openRequests);
  const blocked = useRead(blockedServices);
  return (
    <Page title={t('requests.title')} lead={t('requests.lead')}>
      <div aria-live="polite">
        <LoadedList
          of={open}
          none={t('requests.none')}
          noneText={t('requests.none.text')}
          noneAct={<ToConnect />}
        >
          {(requests) => (
            <List>
              {requests.map(({ request_id: requestId, company, service, created_at: at }) => (
                <RowLink
                  key={requestId}
                  to="/me/requests/$requestId"
                  params={{ requestId }}
                  parts={{
                    leading: <CompanyAvatar company={company} />,
                    title: t('requests.asks', { company: company.display_name }),
                    detail: (
                      <>
                        {t('consent.service', { service: service.name })} · <When at={at} />
                      </>
                    ),
                    trailing: <Status tone="accent">{t('companies.look')}</Status>,
                  }}
                />
              ))}
            </List>
          )}
        </LoadedList>
      </div>
      <Problem error={blocked.error} retry={blocked.load} />
      {blocked.found && blocked.found.length > 0 && (
        <Group title={t('requests.blocked')}>
          <Text size="sm" c="dimmed">
            {t('requests.blocked.text')}
          </Text>
          <List>
            {blocked.found.map((each) => (
              <BlockedRow key={each.service.id} blocked={each} unblocked={blocked.load} />
            ))}
          </List>
        </Group>
      )}
    </Page>
  );
}

function BlockedRow({ blocked, unblocked }: { blocked: Blocked; unblocked: () => Promise<void> }) {
  const { t } = useInsideText();
  const { busy, error, run } = useAct();
  const { company, service } = blocked;
  const allow = () =>
    run(async () => {
      await unblock(blocked);
      refreshWaiting();
      await unblocked();
    });
  return (
    <Row
      leading={<CompanyAvatar company={company} />}
      title={company.display_name}
      detail={
        <>
          {t('consent.service', { service: service.name })}
          <Stack gap="xs" mt="xs" align="flex-start" component="span">
            <Button variant="default" loading={busy} onClick={allow}>
              {t('requests.unblock', { service: service.name })}
            </Button>
            <Problem error={error} />
          </Stack>
        </>
      }
    />
  );
}
