import { Button, Text } from '@mantine/core';
import type { DataClientWithSecret, Service } from '@symbolon/protocol';
import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import { ActButtons } from '../../../parts/act-buttons.tsx';
import { Loaded, LoadedList } from '../../../parts/loaded.tsx';
import { FeedBehind } from '../../../parts/portal/feed-behind.tsx';
import { LastUse } from '../../../parts/portal/last-use.tsx';
import { PortalPage, usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { Question } from '../../../parts/portal/question.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { clientFile, SecretSheet } from '../../../parts/portal/secret-sheet.tsx';
import { Problem, useAct } from '../../../parts/problem.tsx';
import { When } from '../../../parts/when.tsx';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import {
  dataClientQuery,
  registerDataClient,
  rollDataClient,
  services,
} from '../../../platform/portal/services.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { IconTile } from '../../../ui/icon.tsx';
import { List, Row } from '../../../ui/list.tsx';
import { Page } from '../../../ui/page.tsx';

export function AccessPage() {
  return (
    <PortalPage>
      <Access />
    </PortalPage>
  );
}

/** The client of each service, by which a backend reads it. */
function Access() {
  const { t } = usePortalText();
  const list = useRead(services);
  return (
    <Page title={t('access.title')} lead={t('access.lead')}>
      <LoadedList of={list} none={t('access.none')} noneText={t('access.none.text')}>
        {(found) => (
          <>
            <List label={t('access.title')}>
              {found.map((service) => (
                <ClientRow key={service.id} service={service} />
              ))}
            </List>
            <SameByApi {...sameCalls.registerClient(found[0]?.id ?? '')} />
          </>
        )}
      </LoadedList>
    </Page>
  );
}

function ClientRow({ service }: { service: Service }) {
  const { t } = usePortalText();
  const mayEdit = mayAs(usePortalLogin(), 'developer');
  const client = useRead(dataClientQuery(service.id));
  const { busy, error, run } = useAct();
  const [made, setMade] = useState<DataClientWithSecret>();
  const [isAsking, setIsAsking] = useState(false);
  const make = (act: (id: string) => Promise<DataClientWithSecret>) =>
    run(async () => {
      setMade(await act(service.id));
      setIsAsking(false);
      await client.load();
    });
  return (
    <>
      <Row
        leading={<IconTile icon={IconKey} />}
        title={service.name}
        detail={
          <Loaded of={client} height={18}>
            {(found) =>
              found === null ? (
                t('access.no')
              ) : (
                <>
                  <code>{found.client_id}</code> · {t('access.made')} <When at={found.secret_created_at} />
                  <FeedBehind serviceId={service.id} before=" · " />
                  <LastUse clientId={found.client_id} />
                </>
              )
            }
          </Loaded>
        }
        trailing={
          mayEdit &&
          client.found !== undefined && (
            <Button
              variant={client.found === null ? 'filled' : 'default'}
              size="sm"
              loading={busy}
              onClick={() => (client.found === null ? make(registerDataClient) : setIsAsking(true))}
              aria-label={`${t(client.found === null ? 'access.make' : 'access.roll')}: ${service.name}`}
            >
              {t(client.found === null ? 'access.make' : 'access.roll')}
            </Button>
          )
        }
      />
      {!isAsking && <Problem error={error} />}
      {isAsking && (
        <Question title={t('access.roll.title')} close={() => setIsAsking(false)}>
          <Text size="sm">{t('access.roll.text')}</Text>
          <Problem error={error} />
          <ActButtons
            label={t('access.roll')}
            busy={busy}
            color="red"
            act={() => make(rollDataClient)}
            cancel={() => setIsAsking(false)}
          />
        </Question>
      )}
      {made !== undefined && (
        <SecretSheet
          title={t('access.secret', { name: service.name })}
          lead={t('access.secret.text')}
          label={t('access.secret.label')}
          secret={made.client_secret}
          file="client.json"
          fileText={clientFile(made)}
          close={() => setMade(undefined)}
        />
      )}
    </>
  );
}
