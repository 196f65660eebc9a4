import { Button, Group, Stack, TextInput } from '@mantine/core';
import type { Signer } from '@symbolon/sdk/device';
import { type FormEvent, useState } from 'react';
import type { Proof } from '../platform/presence.ts';
import { useInsideText } from '../text/inside/index.tsx';
import { ProofForm } from './proof-form.tsx';

interface Props {
  /** Of the document. */
  readonly name: string;
  /** What the proof is made for. */
  readonly act: string;
  /** Whether the document is still looked at: then nothing is signed or accepted. */
  readonly waits?: boolean;
}

/** Asks for the name that stands under a signature, and for the proof that goes with it. */
export function SignForm(
  props: Props & { signerName: string; sign: (signer: Signer, proof: Proof) => Promise<void> },
) {
  const { t } = useInsideText();
  const [signer, setSigner] = useState(() => signerOf(props.signerName));
  const [isAsked, setProving] = useState(false);
  const isProving = isAsked && !props.waits;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setProving(true);
  };
  return (
    <Stack gap="md">
      <form onSubmit={submit}>
        <Stack gap="md">
          <Group grow align="start">
            <TextInput
              label={t('documents.sign.firstName')}
              autoComplete="given-name"
              maxLength={100}
              required
              disabled={isProving}
              value={signer.firstName}
              onChange={({ currentTarget: { value } }) => setSigner({ ...signer, firstName: value })}
            />
            <TextInput
              label={t('documents.sign.lastName')}
              autoComplete="family-name"
              maxLength={100}
              required
              disabled={isProving}
              value={signer.lastName}
              onChange={({ currentTarget: { value } }) => setSigner({ ...signer, lastName: value })}
            />
          </Group>
          {!isProving && (
            <Button type="submit" disabled={props.waits === true}>
              {t('documents.sign.next')}
            </Button>
          )}
        </Stack>
      </form>
      {isProving && (
        <ProofForm
          act={props.act}
          label={t('documents.sign.button', { name: props.name })}
          strong
          codesOnly
          prove={(proof) => props.sign(trimmed(signer), proof)}
          cancel={() => setProving(false)}
        />
      )}
    </Stack>
  );
}

/** Asks for the proof that goes with an acceptance. */
export function AcceptForm({
  name,
  act,
  waits = false,
  accept,
}: Props & { accept: (proof: Proof) => Promise<void> }) {
  const { t } = useInsideText();
  const [isProving, setProving] = useState(false);
  const label = t('documents.accept.button', { name });
  if (!isProving || waits)
    return (
      <Group>
        <Button disabled={waits} onClick={() => setProving(true)}>
          {label}
        </Button>
      </Group>
    );
  return (
    <ProofForm act={act} label={label} strong codesOnly prove={accept} cancel={() => setProving(false)} />
  );
}

const trimmed = ({ firstName, lastName }: Signer): Signer => ({
  firstName: firstName.trim(),
  lastName: lastName.trim(),
});

/** A first guess: the last word is the last name. */
function signerOf(displayName: string): Signer {
  const words = displayName.trim().split(/\s+/);
  const lastName = words.length > 1 ? (words.pop() ?? '') : '';
  return { firstName: words.join(' '), lastName };
}
