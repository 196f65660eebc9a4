import { Button } from '@mantine/core';
import type { OAuthApp, OAuthAppWithSecret } from '@symbolon/protocol';
import { IconLogin2, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { LoadedList } from '../../../parts/loaded.tsx';
import { LastUse } from '../../../parts/portal/last-use.tsx';
import { PortalPage, usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { clientFile, SecretSheet } from '../../../parts/portal/secret-sheet.tsx';
import { appsQuery } from '../../../platform/portal/apps.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { IconTile } from '../../../ui/icon.tsx';
import { List, Row, RowButton } from '../../../ui/list.tsx';
import { Page } from '../../../ui/page.tsx';
import { AppSheet } from './app-sheet.tsx';
import { NewAppSheet } from './new-app-sheet.tsx';

export function AppsPage() {
  return (
    <PortalPage>
      <Apps />
    </PortalPage>
  );
}

/** Sites and apps of the company to which people sign in. */
function Apps() {
  const { t } = usePortalText();
  const mayEdit = mayAs(usePortalLogin(), 'developer');
  const list = useRead(appsQuery);
  const [isAdding, setIsAdding] = useState(false);
  const [opened, setOpened] = useState<OAuthApp>();
  const [made, setMade] = useState<OAuthAppWithSecret>();
  const changed = async (next?: OAuthAppWithSecret) => {
    setIsAdding(false);
    setOpened(undefined);
    setMade(next);
    await list.load();
  };
  return (
    <Page
      title={t('apps.title')}
      lead={t('apps.lead')}
      aside={
        mayEdit && (
          <Button leftSection={<IconPlus size={18} aria-hidden="true" />} onClick={() => setIsAdding(true)}>
            {t('apps.new')}
          </Button>
        )
      }
    >
      <LoadedList of={list} none={t('apps.none')} noneText={t('apps.none.text')}>
        {(found) => (
          <List label={t('apps.title')}>
            {found.map((app) => {
              const parts = {
                leading: <IconTile icon={IconLogin2} />,
                title: app.name,
                detail: (
                  <>
                    {t(`apps.type.${app.app_type}`)} · {app.redirect_uris.join(', ')}
                    <LastUse clientId={app.client_id} />
                  </>
                ),
              };
              return mayEdit ? (
                <RowButton key={app.client_id} {...parts} onClick={() => setOpened(app)} />
              ) : (
                <Row key={app.client_id} {...parts} />
              );
            })}
          </List>
        )}
      </LoadedList>
      <SameByApi {...sameCalls.apps} />
      {isAdding && <NewAppSheet close={() => setIsAdding(false)} made={changed} />}
      {opened !== undefined && <AppSheet app={opened} close={() => setOpened(undefined)} changed={changed} />}
      {made?.client_secret != null && (
        <SecretSheet
          title={t('access.secret', { name: made.name })}
          lead={t('access.secret.text')}
          label={t('access.secret.label')}
          secret={made.client_secret}
          file="sign-in-app.json"
          fileText={clientFile({ client_id: made.client_id, client_secret: made.client_secret })}
          close={() => setMade(undefined)}
        />
      )}
    </Page>
  );
}
