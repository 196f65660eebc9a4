import { Button, Group, List, Stack, TextInput } from '@mantine/core';
import { documentActs, type Signer } from '@symbolon/sdk/device';
import { type FormEvent, useState } from 'react';
import { ProofForm } from '../../parts/proof-form.tsx';
import { Section } from '../../parts/section.tsx';
import { accept, type Opened, type Read, sign } from '../../platform/documents.ts';
import type { Proof } from '../../platform/presence.ts';
import type { SignedIn } from '../../platform/session.ts';
import { useText } from '../../text/index.tsx';
import { type Asked, isCancellable } from './states.ts';

type Props = {
  asked: Asked;
  opened: Opened;
  session: SignedIn;
  done: (document: Read) => void;
};

/** Signing or accepting what is shown: what that means, then the proof that the person is present. */
export function ActSection(props: Props) {
  const { asked, opened } = props;
  const { t } = useText();
  const { name } = opened.document;
  return (
    <div id="act">
      <Section title={t(`documents.${asked}.title`, { name })}>
        <List size="sm">
          {meanings(opened, asked).map((key) => (
            <List.Item key={key}>{t(key, { company: opened.document.company.display_name })}</List.Item>
          ))}
        </List>
        {asked === 'sign' ? <SignForm {...props} /> : <AcceptForm {...props} />}
      </Section>
    </div>
  );
}

function meanings({ document, content }: Opened, asked: Asked) {
  const isSealed = content.kind === 'file' && document.plain_sha256 !== null;
  return [
    `documents.${asked}.means`,
    `documents.${asked}.told`,
    ...(isSealed ? (['documents.act.sealed'] as const) : []),
    isCancellable({ ...document, status: 'active' }) ? 'documents.act.cancellable' : 'documents.act.final',
  ] as const;
}

function SignForm({ opened, session, done }: Props) {
  const { t } = useText();
  const [signer, setSigner] = useState(() => signerOf(session.person.display_name));
  const [isProving, setProving] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setProving(true);
  };
  const label = t('documents.sign.button', { name: opened.document.name });
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
          {!isProving && <Button type="submit">{t('documents.sign.next')}</Button>}
        </Stack>
      </form>
      {isProving && (
        <ProofForm
          act={documentActs.sign(opened)}
          label={label}
          strong
          codesOnly
          prove={async (proof: Proof) => done(await sign(opened, trimmed(signer), proof))}
          cancel={() => setProving(false)}
        />
      )}
    </Stack>
  );
}

function AcceptForm({ opened, done }: Props) {
  const { t } = useText();
  const [isProving, setProving] = useState(false);
  const label = t('documents.accept.button', { name: opened.document.name });
  if (!isProving)
    return (
      <Group>
        <Button onClick={() => setProving(true)}>{label}</Button>
      </Group>
    );
  return (
    <ProofForm
      act={documentActs.accept(opened)}
      label={label}
      strong
      codesOnly
      prove={async (proof: Proof) => done(await accept(opened, proof))}
      cancel={() => setProving(false)}
    />
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
