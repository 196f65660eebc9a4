import { Button, Group, List, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ProofForm } from '../../parts/proof-form.tsx';
import { Section } from '../../parts/section.tsx';
import { acts, deleteAccount } from '../../platform/security.ts';
import type { SignedIn } from '../../platform/session.ts';
import { useText } from '../../text/index.tsx';

const WHAT_HAPPENS = [
  'deletion.connections',
  'deletion.values',
  'deletion.signedOut',
  'deletion.forGood',
] as const;

/** Deletes the account: what happens is read, the address typed, and presence proved. */
export function DeletionSection({ session }: { session: SignedIn }) {
  const { t } = useText();
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const { email } = session.person;
  const close = () => {
    setOpen(false);
    setTyped('');
  };
  return (
    <Section title={t('deletion.title')} lead={t('deletion.lead')}>
      {open ? (
        <Stack>
          <List size="sm">
            {WHAT_HAPPENS.map((key) => (
              <List.Item key={key}>{t(key)}</List.Item>
            ))}
          </List>
          <TextInput
            label={t('deletion.type', { email })}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          {typed.trim().toLowerCase() === email ? (
            <ProofForm
              act={acts.deletion}
              label={t('deletion.confirm')}
              color="red"
              prove={deleteAccount}
              cancel={close}
            />
          ) : (
            <Group>
              <Button variant="subtle" color="gray" onClick={close}>
                {t('app.cancel')}
              </Button>
            </Group>
          )}
        </Stack>
      ) : (
        <Group>
          <Button variant="default" onClick={() => setOpen(true)}>
            {t('deletion.open')}
          </Button>
        </Group>
      )}
    </Section>
  );
}
