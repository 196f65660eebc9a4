import { Button, Stack, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useOpenFields } from '../../parts/answers/use-open-fields.ts';
import { CompanyAvatar } from '../../parts/company-avatar.tsx';
import { KeyWords } from '../../parts/key-words.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import { useShownText } from '../../parts/shown-text.ts';
import { When } from '../../parts/when.tsx';
import { type Connection, connectionQuery, connections } from '../../platform/connections.ts';
import { useRead } from '../../platform/read.ts';
import { refreshWaiting } from '../../platform/waiting.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { Columns } from '../../ui/columns.tsx';
import { Group } from '../../ui/group.tsx';
import { List, Row } from '../../ui/list.tsx';
import { Note } from '../../ui/note.tsx';
import { BackLink, Page, PageTitle } from '../../ui/page.tsx';
import { Tab, Tabs } from '../../ui/tabs.tsx';
import { ActivityTab } from './activity-tab.tsx';
import { Approving, CompanyList } from './company-list.tsx';
import classes from './connection-page.module.css';
import { ConsentSection } from './consent-section.tsx';
import { DisconnectSheet } from './disconnect-sheet.tsx';
import { DocumentsTab } from './documents-tab.tsx';
import { SharedSection } from './shared-section.tsx';
import { TABS, type TabName } from './tabs.ts';

const ThreadOf = lazy(() => import('../messages/thread.tsx').then(({ ThreadOf }) => ({ default: ThreadOf })));
const route = getRouteApi('/me/connections/$connectionId');

/** One company: who it is, what it has of the person, what they wrote, sent and did. */
export function ConnectionPage() {
  const { connectionId } = route.useParams();
  const { tab = 'shared' } = route.useSearch();
  return (
    <MeFrame>
      <Beside id={connectionId}>
        <One key={connectionId} id={connectionId} tab={tab} />
      </Beside>
    </MeFrame>
  );
}

/** The list of companies, and one of them. */
function Beside({ id, children }: { id: string; children: ReactNode }) {
  const { t } = useInsideText();
  return (
    <Columns title={t('place.companies')} list={<CompanyList here={id} />}>
      {children}
    </Columns>
  );
}

function One({ id, tab }: { id: string; tab: TabName }) {
  const { t } = useInsideText();
  const [hasEnded, setEnded] = useState(false);
  const read = useRead(connectionQuery(id));
  const { found } = read;
  const back = <BackLink to="/me/connections">{t('place.companies')}</BackLink>;
  if (found !== undefined && hasEnded) {
    const company = found.company.display_name;
    return (
      <Page
        back={back}
        title={t('connections.ended', { company })}
        lead={t('connections.ended.text', { company })}
      >
        {null}
      </Page>
    );
  }
  return (
    <Stack gap="lg">
      {back}
      {found === undefined && <PageTitle>{t('place.companies')}</PageTitle>}
      <Loaded of={read} height={240}>
        {(shown) => (
          <>
            <Head connection={shown} />
            <Services connection={shown} tab={tab} />
            <Parts connection={shown} tab={tab} />
            {tab === 'shared' && (
              <>
                <Answers
                  connection={shown}
                  changed={(next) => {
                    read.change(() => next);
                    refreshWaiting();
                  }}
                />
                <Approving of={shown.company} />
                <Ending connection={shown} ended={() => setEnded(true)} />
              </>
            )}
            {tab === 'messages' && (
              <Suspense>
                <ThreadOf connectionId={id} />
              </Suspense>
            )}
            {tab === 'documents' && <DocumentsTab connection={shown} />}
            {tab === 'activity' && <ActivityTab connection={shown} />}
          </>
        )}
      </Loaded>
    </Stack>
  );
}

function Head({ connection: { company, service, connected_at: since } }: { connection: Connection }) {
  const { t } = useInsideText();
  return (
    <header className={classes.head}>
      <CompanyAvatar company={company} size={60} />
      <div>
        <PageTitle>{company.display_name}</PageTitle>
        <Text size="sm" c="dimmed">
          {service.name} · {company.company_code}
        </Text>
        <Text size="sm" c="dimmed">
          {t('companies.since')} <When at={since} />
        </Text>
        <KeyWords publicKey={service.public_key} />
      </div>
    </header>
  );
}

/** The services of a company, where the person is connected to several. */
function Services({ connection, tab }: { connection: Connection; tab: TabName }) {
  const { t } = useInsideText();
  const { found = [] } = useRead(connections);
  const { company_user_id: companyId } = connection.company;
  const services = found.filter(({ company }) => company.company_user_id === companyId);
  if (services.length < 2) return null;
  return (
    <Tabs label={t('companies.services', { company: connection.company.display_name })}>
      {services.map(({ connection_id: connectionId, service }) => (
        <Tab
          key={connectionId}
          to="/me/connections/$connectionId"
          params={{ connectionId }}
          search={tab === 'shared' ? {} : { tab }}
          isHere={connectionId === connection.connection_id}
        >
          {service.name}
        </Tab>
      ))}
    </Tabs>
  );
}

function Parts({ connection, tab }: { connection: Connection; tab: TabName }) {
  const { t } = useInsideText();
  const { connection_id: connectionId, company } = connection;
  return (
    <Tabs label={company.display_name}>
      {TABS.map((name) => (
        <Tab
          key={name}
          to="/me/connections/$connectionId"
          params={{ connectionId }}
          search={name === 'shared' ? {} : { tab: name }}
          isHere={name === tab}
          replace
        >
          {t(`companies.tab.${name}`)}
        </Tab>
      ))}
    </Tabs>
  );
}

type AnswersProps = { connection: Connection; changed: (next: Connection) => void };

/** What both sides give each other. */
function Answers(props: AnswersProps) {
  const { connection } = props;
  const { t } = useInsideText();
  const { added, ...open } = useOpenFields();
  const shown = useShownText(open.found?.types.resolved, connection.shared);
  const company = connection.company.display_name;
  return (
    <>
      <Loaded of={open} height={180}>
        {(fields) => (
          <>
            <ConsentSection {...props} fields={fields} added={added} />
            <SharedSection {...props} fields={fields} added={added} />
          </>
        )}
      </Loaded>
      {connection.shared.length > 0 && (
        <Group title={t('connections.theirs', { company })}>
          <List>
            {connection.shared.map(({ slug, label, type, value }) => (
              <Row key={slug} title={shown({ type, text: value })} detail={label} />
            ))}
          </List>
        </Group>
      )}
      <Note icon={IconLock}>{t('companies.sealed', { company })}</Note>
    </>
  );
}

function Ending({ connection, ended }: { connection: Connection; ended: () => void }) {
  const { t } = useInsideText();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" c="red" onClick={() => setOpen(true)}>
        {t('disconnect.open', { company: connection.company.display_name })}
      </Button>
      <DisconnectSheet connection={connection} opened={isOpen} close={() => setOpen(false)} ended={ended} />
    </>
  );
}
