import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { PresenceOptions } from '@symbolon/protocol';
import { type FormEvent, useState } from 'react';
import { ActButtons } from '../../parts/act-buttons.tsx';
import { PasswordField } from '../../parts/fields.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Problem, useAct } from '../../parts/problem.tsx';
import { ProofForm } from '../../parts/proof-form.tsx';
import { useSecondOfProof } from '../../parts/second-of-proof.tsx';
import { Section } from '../../parts/section.tsx';
import { When } from '../../parts/when.tsx';
import {
  addPasskey,
  hasPasskeys,
  passkeyOptions,
  passkeys,
  removalOf,
  removePasskey,
} from '../../platform/passkeys.ts';
import { useRead } from '../../platform/read.ts';
import { acts } from '../../platform/security.ts';
import type { SignedIn } from '../../platform/session.ts';
import { useText } from '../../text/index.tsx';

/** Passkeys: they sign in, approve, and open the keys where the device can. */
export function PasskeysSection({ session }: { session: SignedIn }) {
  const { t } = useText();
  const read = useRead(passkeys);
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<string>();
  return (
    <Section title={t('passkeys.title')} lead={t('passkeys.lead')}>
      <Loaded of={read} height={60} />
      {read.found?.map((passkey) => (
        <Stack key={passkey.id} gap="sm">
          <Group justify="space-between" wrap="nowrap">
            <Stack gap={0}>
              <Text>{passkey.name}</Text>
              <Text size="sm" c="dimmed">
                {t(passkey.opens_key ? 'passkeys.opensKey' : 'passkeys.signsOnly')} · {t('passkeys.made')}{' '}
                <When at={passkey.created_at} />
              </Text>
            </Stack>
            <Button
              variant="default"
              flex="none"
              aria-label={t('passkeys.remove.of', { name: passkey.name })}
              onClick={() => setRemoving(passkey.id)}
            >
              {t('passkeys.remove')}
            </Button>
          </Group>
          {removing === passkey.id && (
            <ProofForm
              act={removalOf(passkey.id)}
              label={t('passkeys.remove.of', { name: passkey.name })}
              color="red"
              prove={async (proof) => {
                await removePasskey(passkey.id, proof);
                setRemoving(undefined);
                await read.load();
              }}
              cancel={() => setRemoving(undefined)}
            />
          )}
        </Stack>
      ))}
      {adding ? (
        <AddPasskey
          session={session}
          close={() => {
            setAdding(false);
            read.load();
          }}
        />
      ) : (
        <Group>
          <Button variant="default" disabled={!hasPasskeys()} onClick={() => setAdding(true)}>
            {t('passkeys.add')}
          </Button>
        </Group>
      )}
    </Section>
  );
}

type AddProps = { session: SignedIn; close: () => void };

function AddPasskey(props: AddProps) {
  return (
    <Loaded of={useRead(passkeyOptions)} height={44}>
      {(options) => <AddForm {...props} options={options} />}
    </Loaded>
  );
}

function AddForm({ session, close, options }: AddProps & { options: PresenceOptions }) {
  const { t } = useText();
  const { busy, error, run } = useAct();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const { fields, second } = useSecondOfProof(acts.addPasskey, options);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      await addPasskey(session, { name: name.trim(), password, second });
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
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <PasswordField label={t('proof.password')} value={password} change={setPassword} />
        {fields || <Text size="sm">{t('passkeys.byPasskey')}</Text>}
        <Problem error={error} />
        <ActButtons label={t('passkeys.make')} busy={busy} cancel={close} />
      </Stack>
    </form>
  );
}
