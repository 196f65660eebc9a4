import { Button, Stack, Text } from '@mantine/core';
import type { RecoveryCopy } from '@symbolon/protocol';
import { IconLock, IconUsers } from '@tabler/icons-react';
import { LoadedList } from '../../../parts/loaded.tsx';
import { PasswordForm } from '../../../parts/password-form.tsx';
import { passphraseFile } from '../../../parts/portal/key-files.tsx';
import { usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { clientFile } from '../../../parts/portal/secret-sheet.tsx';
import { useShownSecret } from '../../../parts/portal/use-shown-secret.ts';
import { WithLoginKey } from '../../../parts/portal/with-login-key.tsx';
import { RowSheet } from '../../../parts/row-sheet.tsx';
import { SecretCodes } from '../../../parts/secret-codes.tsx';
import { When } from '../../../parts/when.tsx';
import { accountClientsQuery } from '../../../platform/portal/account.ts';
import { appsQuery } from '../../../platform/portal/apps.ts';
import {
  holdersQuery,
  openRecoveryCopy,
  recoveryCopiesQuery,
} from '../../../platform/portal/recovery-copies.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { services } from '../../../platform/portal/services.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Group } from '../../../ui/group.tsx';
import { IconTile } from '../../../ui/icon.tsx';
import { List, Row } from '../../../ui/list.tsx';
import { Note } from '../../../ui/note.tsx';

/** What is sealed to the recovery key. Who holds it opens each copy here. */
export function Copies() {
  const { t } = usePortalText();
  const { login } = usePortalLogin();
  const copies = useRead(recoveryCopiesQuery);
  const { found: holders } = useRead(holdersQuery);
  const whose = useWhose();
  const holding = holders?.filter(({ holds }) => holds);
  const isHolder = holding?.some(({ login_id: id }) => id === login.id);
  return (
    <Group title={t('keys.copies')} lead={t('keys.copies.lead')}>
      {holding !== undefined && !isHolder && (
        <Note icon={IconUsers}>
          {holding.length === 0
            ? t('keys.copies.nobody')
            : t('keys.copies.others', { names: holding.map(({ name, email }) => name || email).join(', ') })}
        </Note>
      )}
      <LoadedList of={copies} none={t('keys.copies.none')} noneText={t('keys.copies.none.text')}>
        {(found) => (
          <List label={t('keys.copies')}>
            {found.map((copy) => {
              const row = {
                leading: <IconTile icon={IconLock} />,
                title: t(`keys.copy.${copy.kind}`),
                detail: (
                  <>
                    {whose(copy)} · <When at={copy.created_at} />
                  </>
                ),
              };
              return isHolder ? (
                <RowSheet key={copy.id} {...row} heading={`${row.title}: ${whose(copy)}`}>
                  {(close) => <Opening copy={copy} whose={whose(copy)} close={close} />}
                </RowSheet>
              ) : (
                <Row key={copy.id} {...row} />
              );
            })}
          </List>
        )}
      </LoadedList>
    </Group>
  );
}

/** What a copy is of: a service, a sign-in app or an account client, by its name as long as it is there. */
function useWhose() {
  const { found: all = [] } = useRead(services);
  const { found: apps = [] } = useRead(appsQuery);
  const { found: clients = [] } = useRead(accountClientsQuery);
  return ({ service_id: serviceId, client_id: clientId }: RecoveryCopy): string =>
    all.find(({ id }) => id === serviceId)?.name ??
    [...apps, ...clients].find(({ client_id: id }) => id === clientId)?.name ??
    clientId ??
    '';
}

type Opened = { copy: RecoveryCopy; whose: string; close: () => void };

/** The password opens one copy. What it says goes with the sheet, and with the page, also where the browser keeps that to come back. */
function Opening({ copy, whose, close }: Opened) {
  const { t } = usePortalText();
  const session = usePortalLogin();
  const [secret, setSecret] = useShownSecret<string>();
  if (secret !== undefined) return <Secret copy={copy} whose={whose} secret={secret} close={close} />;
  return (
    <WithLoginKey>
      <Stack>
        <PasswordForm
          label={t('keys.copy.open')}
          text={t('keys.copy.open.text')}
          act={async (password, code) => setSecret(await openRecoveryCopy(session, copy, { password, code }))}
          cancel={close}
        />
        <SameByApi {...sameCalls.recoveryCopies} />
      </Stack>
    </WithLoginKey>
  );
}

function Secret({ copy, whose, secret, close }: Opened & { secret: string }) {
  const { t } = usePortalText();
  const { kind, client_id: clientId } = copy;
  const file =
    kind === 'service_passphrase'
      ? passphraseFile(whose, secret)
      : {
          file: `${clientId}.json`,
          content: clientFile({ client_id: clientId ?? '', client_secret: secret }),
        };
  return (
    <Stack role="status">
      <Text size="sm">{t(`keys.copy.${kind}.opened`)}</Text>
      <SecretCodes
        label={t(`keys.copy.${kind}`)}
        groups={[secret]}
        value={secret}
        file={file.file}
        fileText={file.content}
      />
      <Button onClick={close}>{t('keys.copy.lock')}</Button>
    </Stack>
  );
}
