import { Button, Checkbox, Stack, Text, TextInput } from '@mantine/core';
import type { AccountClient, AccountClientWithSecret, Capability } from '@symbolon/protocol';
import { IconPlus, IconRobot } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { ActButtons } from '../../../parts/act-buttons.tsx';
import { LoadedList } from '../../../parts/loaded.tsx';
import { LastUse } from '../../../parts/portal/last-use.tsx';
import { PortalPage, usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { Question } from '../../../parts/portal/question.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { clientFile, SecretSheet } from '../../../parts/portal/secret-sheet.tsx';
import { useKeptForm } from '../../../parts/portal/use-kept-form.ts';
import { Problem, useAct } from '../../../parts/problem.tsx';
import {
  accountClientsQuery,
  createAccountClient,
  deleteAccountClient,
  grantCapabilities,
  rollAccountClient,
} from '../../../platform/portal/account.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { IconTile } from '../../../ui/icon.tsx';
import { List, Row, RowButton } from '../../../ui/list.tsx';
import { Page } from '../../../ui/page.tsx';
import { Sheet } from '../../../ui/sheet.tsx';

export function ClientsPage() {
  return (
    <PortalPage>
      <Clients />
    </PortalPage>
  );
}

/** Programs that act as the company. */
function Clients() {
  const { t } = usePortalText();
  const mayEdit = mayAs(usePortalLogin(), 'admin');
  const list = useRead(accountClientsQuery);
  const [isAdding, setIsAdding] = useState(false);
  const [opened, setOpened] = useState<AccountClient>();
  const [made, setMade] = useState<AccountClientWithSecret>();
  const changed = async (next?: AccountClientWithSecret) => {
    setIsAdding(false);
    setOpened(undefined);
    setMade(next);
    await list.load();
  };
  return (
    <Page
      title={t('clients.title')}
      lead={t('clients.lead')}
      aside={
        mayEdit && (
          <Button leftSection={<IconPlus size={18} aria-hidden="true" />} onClick={() => setIsAdding(true)}>
            {t('clients.new')}
          </Button>
        )
      }
    >
      <LoadedList of={list} none={t('clients.none')} noneText={t('clients.none.text')}>
        {(found) => (
          <List label={t('clients.title')}>
            {found.map((client) => {
              const { client_id: id, name, capabilities } = client;
              const rights = capabilities.map((each) => t(`clients.right.${each}`)).join(', ');
              const parts = {
                leading: <IconTile icon={IconRobot} />,
                title: name,
                detail: (
                  <>
                    {rights || t('clients.rights.none')}
                    <LastUse clientId={id} />
                  </>
                ),
              };
              return mayEdit ? (
                <RowButton key={id} {...parts} onClick={() => setOpened(client)} />
              ) : (
                <Row key={id} {...parts} />
              );
            })}
          </List>
        )}
      </LoadedList>
      <SameByApi {...sameCalls.newClient} />
      {isAdding && <NewSheet close={() => setIsAdding(false)} made={changed} />}
      {opened !== undefined && (
        <ClientSheet client={opened} close={() => setOpened(undefined)} changed={changed} />
      )}
      {made !== undefined && (
        <SecretSheet
          title={t('access.secret', { name: made.name })}
          lead={t('access.secret.text')}
          label={t('access.secret.label')}
          secret={made.client_secret}
          file="account-client.json"
          fileText={clientFile(made)}
          close={() => setMade(undefined)}
        />
      )}
    </Page>
  );
}

const RIGHTS = [
  'service_management',
  'company_profile_fields',
  'customer_connections',
  'oauth_apps',
  'delegate_management',
] as const satisfies readonly Capability[];

function Rights(props: { chosen: readonly Capability[]; change: (chosen: Capability[]) => void }) {
  const { t } = usePortalText();
  return (
    <Checkbox.Group
      label={t('clients.rights')}
      value={[...props.chosen]}
      onChange={(chosen) => props.change(chosen as Capability[])}
    >
      <Stack gap="xs" mt="xs">
        {RIGHTS.map((each) => (
          <Checkbox key={each} value={each} label={t(`clients.right.${each}`)} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

const FIRST_RIGHTS: readonly Capability[] = ['service_management'];

function NewSheet({ close, made }: { close: () => void; made: (client: AccountClientWithSecret) => void }) {
  const { t } = usePortalText();
  const { busy, error, run } = useAct();
  const { value, change, drop } = useKeptForm('client', () => ({ name: '', rights: FIRST_RIGHTS }));
  const { name, rights } = value;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      const client = await createAccountClient(name.trim(), rights);
      drop();
      made(client);
    });
  };
  return (
    <Sheet title={t('clients.new')} opened close={close} closeLabel={t('app.close')}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t('clients.name')}
            autoComplete="off"
            required
            maxLength={100}
            value={name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <Rights chosen={rights} change={(next) => change({ rights: next })} />
          <Problem error={error} />
          <Button type="submit" loading={busy}>
            {t('clients.create')}
          </Button>
        </Stack>
      </form>
    </Sheet>
  );
}

function ClientSheet(props: {
  client: AccountClient;
  close: () => void;
  changed: (made?: AccountClientWithSecret) => Promise<void>;
}) {
  const { client, close, changed } = props;
  const { client_id: id, name } = client;
  const { t } = usePortalText();
  const { busy, error, run } = useAct();
  const [rights, setRights] = useState<readonly Capability[]>(client.capabilities);
  const [asked, setAsked] = useState<'roll' | 'delete'>();
  const act = (does: () => Promise<AccountClientWithSecret | undefined>) =>
    run(async () => changed(await does()));
  if (asked === 'roll')
    return (
      <Question title={t('access.roll.title')} close={() => setAsked(undefined)}>
        <Text size="sm">{t('access.roll.text')}</Text>
        <Problem error={error} />
        <ActButtons
          label={t('access.roll')}
          busy={busy}
          color="red"
          act={() => act(() => rollAccountClient(id))}
          cancel={() => setAsked(undefined)}
        />
      </Question>
    );
  if (asked === 'delete')
    return (
      <Question title={t('clients.delete.title', { name })} close={() => setAsked(undefined)}>
        <Text size="sm">{t('clients.delete.text')}</Text>
        <Problem error={error} />
        <ActButtons
          label={t('clients.delete')}
          busy={busy}
          color="red"
          act={() => act(() => deleteAccountClient(id).then(() => undefined))}
          cancel={() => setAsked(undefined)}
        />
      </Question>
    );
  return (
    <Sheet title={name} opened close={close} closeLabel={t('app.close')}>
      <Stack>
        <Text ff="monospace" size="sm">
          {id}
        </Text>
        <LastUse clientId={id} />
        <Rights chosen={rights} change={setRights} />
        <Problem error={error} />
        <Button loading={busy} onClick={() => act(() => grantCapabilities(id, rights).then(() => undefined))}>
          {t('clients.save')}
        </Button>
        <Button variant="default" onClick={() => setAsked('roll')}>
          {t('access.roll')}
        </Button>
        <Button variant="subtle" color="red" onClick={() => setAsked('delete')}>
          {t('clients.delete')}
        </Button>
      </Stack>
    </Sheet>
  );
}
