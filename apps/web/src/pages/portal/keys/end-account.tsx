import { List as Bullets, Button, Stack, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Loaded } from '../../../parts/loaded.tsx';
import { MailedCodeFields } from '../../../parts/mailed-code-form.tsx';
import { usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { Problem, useAct } from '../../../parts/problem.tsx';
import { ProofForm } from '../../../parts/proof-form.tsx';
import { ProverContext } from '../../../parts/prover.ts';
import { RowSheet } from '../../../parts/row-sheet.tsx';
import { When } from '../../../parts/when.tsx';
import {
  askForDeletion,
  confirmDeletion,
  DELETION_ACT,
  deletionQuery,
  withdrawDeletion,
} from '../../../platform/portal/end-account.ts';
import { proverOf } from '../../../platform/portal/presence.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Group } from '../../../ui/group.tsx';
import { IconTile } from '../../../ui/icon.tsx';
import { List } from '../../../ui/list.tsx';
import { Note } from '../../../ui/note.tsx';

const WHAT_GOES = ['end.services', 'end.customers', 'end.logins', 'end.copies', 'end.grace'] as const;

/** The end of the account, for owners: what goes is read, the name typed, presence proved, and a mailed code entered. */
export function EndAccount() {
  const { t } = usePortalText();
  const state = useRead(deletionQuery);
  return (
    <Group title={t('end.title')}>
      <Loaded of={state} height={72}>
        {({ deletes_at: at }) =>
          at === null ? (
            <List>
              <RowSheet
                heading={t('end.delete')}
                leading={<IconTile icon={IconTrash} tone="bad" />}
                title={t('end.delete')}
                detail={t('end.delete.text')}
              >
                {(close) => <Deleting close={close} done={state.load} />}
              </RowSheet>
            </List>
          ) : (
            <Pending at={at} done={state.load} />
          )
        }
      </Loaded>
    </Group>
  );
}

function Deleting({ close, done }: { close: () => void; done: () => Promise<void> }) {
  const { t } = usePortalText();
  const session = usePortalLogin();
  const prover = useMemo(() => proverOf(session), [session]);
  const [typed, setTyped] = useState('');
  const [isMailed, setMailed] = useState(false);
  const { name } = session.company;
  if (isMailed)
    return (
      <Stack>
        <Text size="sm">{t('end.mailed', { email: session.login.email })}</Text>
        <MailedCodeFields
          confirm={async (code) => {
            await confirmDeletion(code);
            await done();
          }}
          cancel={close}
          label={t('end.confirm')}
        />
      </Stack>
    );
  return (
    <Stack>
      <Bullets size="sm">
        {WHAT_GOES.map((key) => (
          <Bullets.Item key={key}>{t(key)}</Bullets.Item>
        ))}
      </Bullets>
      <TextInput
        label={t('end.type', { name })}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {typed.trim() === name && (
        <ProverContext value={prover}>
          <ProofForm
            act={DELETION_ACT}
            label={t('end.delete')}
            color="red"
            prove={async (proof) => {
              await askForDeletion(proof);
              setMailed(true);
            }}
            cancel={close}
          />
        </ProverContext>
      )}
    </Stack>
  );
}

function Pending({ at, done }: { at: string; done: () => Promise<void> }) {
  const { t } = usePortalText();
  const { busy, error, run } = useAct();
  return (
    <Stack>
      <Note icon={IconTrash} tone="bad">
        {t('end.pending')} <When at={at} />. {t('end.pending.text')}
      </Note>
      <Problem error={error} />
      <div>
        <Button
          loading={busy}
          onClick={() =>
            run(async () => {
              await withdrawDeletion();
              await done();
            })
          }
        >
          {t('end.withdraw')}
        </Button>
      </div>
    </Stack>
  );
}
