import { List as Bullets, Stack, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { ProofForm } from '../../parts/proof-form.tsx';
import { RowSheet } from '../../parts/row-sheet.tsx';
import { TextLink } from '../../parts/text-link.tsx';
import { mailboxOf } from '../../platform/mailbox.ts';
import { acts, deleteAccount } from '../../platform/security.ts';
import type { SignedIn } from '../../platform/session.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { Group } from '../../ui/group.tsx';
import { IconTile } from '../../ui/icon.tsx';
import { List } from '../../ui/list.tsx';

const WHAT_HAPPENS = [
  'deletion.connections',
  'deletion.values',
  'deletion.signedOut',
  'deletion.forGood',
] as const;

/** Deletes the account: what happens is read, the address typed, and presence proved. */
export function DeletionSection({ session }: { session: SignedIn }) {
  const { t } = useInsideText();
  return (
    <Group id="deletion" title={t('account.leaving')}>
      <List>
        <RowSheet
          heading={t('deletion.title')}
          hash="deletion"
          leading={<IconTile icon={IconTrash} tone="bad" />}
          title={t('deletion.title')}
          detail={t('deletion.lead')}
        >
          {(close) => <Deleting session={session} close={close} />}
        </RowSheet>
      </List>
    </Group>
  );
}

function Deleting({ session, close }: { session: SignedIn; close: () => void }) {
  const { t } = useInsideText();
  const [typed, setTyped] = useState('');
  const { email } = session.person;
  return (
    <Stack>
      <Bullets size="sm">
        {WHAT_HAPPENS.map((key) => (
          <Bullets.Item key={key}>{t(key)}</Bullets.Item>
        ))}
      </Bullets>
      <TextLink to="/me/export" size="sm">
        {t('deletion.export')}
      </TextLink>
      <TextInput
        label={t('deletion.type', { email })}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {mailboxOf(typed) === mailboxOf(email) && (
        <ProofForm
          act={acts.deletion}
          label={t('deletion.confirm')}
          color="red"
          prove={deleteAccount}
          cancel={close}
        />
      )}
    </Stack>
  );
}
