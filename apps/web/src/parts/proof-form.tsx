import { Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { PresenceOptions } from '@symbolon/protocol';
import { type FormEvent, use, useEffect, useState } from 'react';
import { passkeyProof } from '../platform/passkey-proof.ts';
import type { Proof } from '../platform/presence.ts';
import { useText } from '../text/index.tsx';
import { PasswordField } from './fields.tsx';
import { useFocusWhenLost } from './focus.ts';
import { Problem, useAct } from './problem.tsx';
import { ProverContext } from './prover.ts';
import { takesPassword, useSecondOfProof } from './second-of-proof.tsx';

type Props = {
  /** Names the thing and the decision. */
  act: string;
  /** What the button says; a code goes with it. */
  label: string;
  color?: string;
  /** Options that came with the thing. */
  given?: PresenceOptions | undefined;
  /** Whether the password alone never counts here. */
  strong?: boolean;
  /** Whether recovery codes never count here: they do not prove presence. */
  codesOnly?: boolean;
  prove: (proof: Proof) => Promise<void>;
  cancel: () => void;
};

/** Asks the person, or the login of the portal, to prove to be present: by a passkey where there is one, else by password and code. */
export function ProofForm(props: Props) {
  const { act, given, cancel } = props;
  const { t } = useText();
  const { run, error } = useAct();
  const prover = use(ProverContext);
  const [options, setOptions] = useState(given);
  const [byPassword, setByPassword] = useState(false);
  useEffect(() => {
    if (given === undefined) run(async () => setOptions(await prover.options(act)));
  }, [act, given, run, prover]);
  if (options === undefined) {
    return error === undefined ? <Skeleton h={44} radius={8} /> : <Problem error={error} />;
  }
  const hasPasskey = options.methods.includes('passkey') && 'PublicKeyCredential' in globalThis;
  const close = (
    <Button variant="subtle" color="gray" onClick={cancel}>
      {t('app.cancel')}
    </Button>
  );
  // A nonce is good once: another try gets a new one.
  const again = async () => setOptions(await prover.options(act));
  return hasPasskey && !byPassword ? (
    <PasskeyProof
      {...props}
      options={options}
      again={again}
      close={close}
      instead={() => setByPassword(true)}
    />
  ) : (
    <PasswordProof {...props} options={options} close={close} />
  );
}

function PasskeyProof(
  props: Props & {
    options: PresenceOptions;
    again: () => Promise<void>;
    close: React.ReactNode;
    instead: () => void;
  },
) {
  const { t } = useText();
  const { busy, error, run } = useAct();
  const place = useFocusWhenLost();
  const prove = () =>
    run(async () => {
      try {
        await props.prove(await passkeyProof(props.options));
      } catch (failure) {
        await props.again();
        throw failure;
      }
    });
  return (
    <Stack gap="sm" ref={place}>
      <Problem error={error} />
      <Group gap="sm">
        <Button
          onClick={prove}
          loading={busy}
          flex={1}
          data-autofocus
          {...(props.color && { color: props.color })}
        >
          {props.label}
        </Button>
        {props.close}
      </Group>
      <Text size="sm" c="dimmed">
        {t('proof.passkey')}{' '}
        {takesPassword(props.options, props.strong) && (
          <Anchor component="button" type="button" size="sm" onClick={props.instead}>
            {t('proof.usePassword')}
          </Anchor>
        )}
      </Text>
    </Stack>
  );
}

function PasswordProof(props: Props & { options: PresenceOptions; close: React.ReactNode }) {
  const { act, options, strong, codesOnly } = props;
  const { t } = useText();
  const prover = use(ProverContext);
  const place = useFocusWhenLost();
  const { busy, error, run } = useAct();
  const [password, setPassword] = useState('');
  const { fields, second } = useSecondOfProof(act, options, { strong, codesOnly });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      await props.prove(await prover.byPassword(password, second));
    });
  };
  return (
    <form onSubmit={submit} ref={place}>
      <Stack gap="sm">
        <input type="hidden" name="username" autoComplete="username" value={prover.email()} readOnly />
        <PasswordField label={t('proof.password')} data-autofocus value={password} change={setPassword} />
        {fields}
        <Problem error={error} />
        <Group gap="sm">
          <Button type="submit" loading={busy} flex={1} {...(props.color && { color: props.color })}>
            {props.label}
          </Button>
          {props.close}
        </Group>
      </Stack>
    </form>
  );
}
