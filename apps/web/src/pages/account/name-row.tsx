import { Stack, Text, TextInput } from '@mantine/core';
import { SymbolonError } from '@symbolon/sdk/device';
import { IconUser } from '@tabler/icons-react';
import type { FormEvent } from 'react';
import { ActButtons } from '../../parts/act-buttons.tsx';
import { Problem, useAct, useErrorText } from '../../parts/problem.tsx';
import { RowSheet } from '../../parts/row-sheet.tsx';
import { useKept } from '../../parts/use-kept.ts';
import { rename } from '../../platform/security.ts';
import type { SignedIn } from '../../platform/session.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { IconTile } from '../../ui/icon.tsx';

/** The name under which companies know the person. */
export function NameRow({ session }: { session: SignedIn }) {
  const { t } = useInsideText();
  return (
    <RowSheet
      heading={t('account.name')}
      leading={<IconTile icon={IconUser} />}
      title={t('account.name')}
      detail={session.person.display_name}
    >
      {(close) => <Naming name={session.person.display_name} close={close} />}
    </RowSheet>
  );
}

function Naming({ name: present, close }: { name: string; close: () => void }) {
  const { t } = useInsideText();
  const textOf = useErrorText();
  const { busy, error, run } = useAct();
  const { value: name, change: setName, drop } = useKept('account.name', () => present);
  const stop = () => {
    drop();
    close();
  };
  const isBeside = error instanceof SymbolonError && error.errorKey === 'profile.display_name_invalid';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      await rename(name.trim());
      stop();
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{t('account.name.text')}</Text>
        <TextInput
          label={t('register.name')}
          name="name"
          autoComplete="name"
          required
          maxLength={100}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={isBeside ? textOf(error) : undefined}
        />
        {!isBeside && <Problem error={error} />}
        <ActButtons label={t('account.name.save')} busy={busy} cancel={stop} />
      </Stack>
    </form>
  );
}
