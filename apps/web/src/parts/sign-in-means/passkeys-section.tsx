import { Button, Stack, Text, TextInput } from '@mantine/core';
import type { Passkey, PresenceOptions } from '@symbolon/protocol';
import { IconFingerprint, IconPlus } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { hasPasskeys } from '../../platform/passkeys.ts';
import { useRead } from '../../platform/read.ts';
import type { SignInMeans } from '../../platform/sign-in-means.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { Group } from '../../ui/group.tsx';
import { IconTile } from '../../ui/icon.tsx';
import { List } from '../../ui/list.tsx';
import { Status } from '../../ui/status.tsx';
import { ActButtons } from '../act-buttons.tsx';
import { PasswordField } from '../fields.tsx';
import { Loaded } from '../loaded.tsx';
import { Problem, useAct } from '../problem.tsx';
import { ProofForm } from '../proof-form.tsx';
import { RowSheet } from '../row-sheet.tsx';
import { useSecondOfProof } from '../second-of-proof.tsx';
import { When } from '../when.tsx';

/**
 * Passkeys: they sign in, approve, and open the keys where the device can.
 *
 * @param props.last what the removal of the last one says of the ways in that stay, and what it asks for before
 */
export function PasskeysSection(props: {
  means: SignInMeans;
  last: (removal: ReactNode, cancel: () => void) => ReactNode;
}) {
  const { means, last } = props;
  const { t } = useInsideText();
  const read = useRead(means.passkeys.all);
  const { found: list = [], load } = read;
  return (
    <Group id="passkeys" title={t('passkeys.title')} lead={t('passkeys.lead')}>
      <Loaded of={read} height={60} />
      <List>
        {list.map((passkey) => (
          <RowSheet
            key={passkey.id}
            heading={passkey.name}
            leading={<IconTile icon={IconFingerprint} tone="accent" />}
            title={passkey.name}
            detail={
              <>
                {t('passkeys.made')} <When at={passkey.created_at} />
              </>
            }
            trailing={
              means.opensKeys ? (
                <Status tone={passkey.opens_key ? 'good' : 'neutral'}>
                  {t(passkey.opens_key ? 'passkeys.opensKey' : 'passkeys.signsOnly')}
                </Status>
              ) : undefined
            }
          >
            {(close) => (
              <OnePasskey
                passkey={passkey}
                means={means}
                around={list.length === 1 ? last : (removal) => removal}
                done={() => {
                  close();
                  load();
                }}
                cancel={close}
              />
            )}
          </RowSheet>
        ))}
        {hasPasskeys() && (
          <RowSheet
            heading={t('passkeys.add')}
            leading={<IconTile icon={IconPlus} />}
            title={t('passkeys.add')}
            detail={t('account.passkeys.text')}
          >
            {(close) => (
              <AddPasskey
                means={means}
                close={() => {
                  close();
                  load();
                }}
              />
            )}
          </RowSheet>
        )}
      </List>
    </Group>
  );
}

type OneProps = {
  passkey: Passkey;
  means: SignInMeans;
  around: (removal: ReactNode, cancel: () => void) => ReactNode;
  done: () => void;
  cancel: () => void;
};

/** What a passkey does, and its removal. */
function OnePasskey({ passkey, means, around, done, cancel }: OneProps) {
  const { t } = useInsideText();
  const [isRemoving, setRemoving] = useState(false);
  const { id, name, opens_key } = passkey;
  const removal = isRemoving ? (
    <ProofForm
      act={means.passkeys.removalOf(id)}
      label={t('passkeys.remove.of', { name })}
      color="red"
      prove={async (proof) => {
        await means.passkeys.remove(id, proof);
        done();
      }}
      cancel={cancel}
    />
  ) : (
    <Button variant="default" c="red" onClick={() => setRemoving(true)}>
      {t('passkeys.remove.of', { name })}
    </Button>
  );
  return (
    <Stack>
      {means.opensKeys && (
        <Text size="sm">{t(opens_key ? 'passkeys.opensKey.text' : 'passkeys.signsOnly.text')}</Text>
      )}
      {around(removal, cancel)}
    </Stack>
  );
}

type AddProps = { means: SignInMeans; close: () => void };

function AddPasskey(props: AddProps) {
  return (
    <Loaded of={useRead(props.means.passkeys.options)} height={44}>
      {(options) => <AddForm {...props} options={options} />}
    </Loaded>
  );
}

function AddForm({ means, close, options }: AddProps & { options: PresenceOptions }) {
  const { t } = useInsideText();
  const { busy, error, run } = useAct();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const { fields, second } = useSecondOfProof(means.passkeys.addAct, options);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      await means.addPasskey({ name: name.trim(), password, second });
      close();
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('passkeys.name')}
          autoComplete="off"
          description={t('passkeys.name.hint')}
          required
          data-autofocus
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {(means.opensKeys || second !== undefined) && (
          <PasswordField label={t('proof.password')} value={password} change={setPassword} />
        )}
        {fields || <Text size="sm">{t('passkeys.byPasskey')}</Text>}
        <Problem error={error} />
        <ActButtons label={t('passkeys.make')} busy={busy} cancel={close} />
      </Stack>
    </form>
  );
}
