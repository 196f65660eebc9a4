import { Stack, Text, TextInput } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { ActButtons } from '../../parts/act-buttons.tsx';
import { MailedCodeFields } from '../../parts/mailed-code-form.tsx';
import { ProofForm } from '../../parts/proof-form.tsx';
import { RowSheet } from '../../parts/row-sheet.tsx';
import { useKept } from '../../parts/use-kept.ts';
import { acts, confirmEmailChange, startEmailChange } from '../../platform/security.ts';
import type { SignedIn } from '../../platform/session.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { IconTile } from '../../ui/icon.tsx';

/** The address that signs in: another one after a proof here, and a code that is mailed there. */
export function EmailRow({ session }: { session: SignedIn }) {
  const { t } = useInsideText();
  return (
    <RowSheet
      heading={t('account.email')}
      leading={<IconTile icon={IconMail} />}
      title={t('account.email')}
      detail={session.person.email}
    >
      {(close) => <Changing close={close} />}
    </RowSheet>
  );
}

type Step = 'address' | 'proof' | 'code' | 'done';

function Changing({ close }: { close: () => void }) {
  const { t } = useInsideText();
  const [step, setStep] = useState<Step>('address');
  const { value: email, change: setEmail, drop } = useKept('account.email', () => '');
  const stop = () => {
    drop();
    close();
  };
  switch (step) {
    case 'address':
      return (
        <form
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            setStep('proof');
          }}
        >
          <Stack>
            <Text size="sm">{t('account.email.text')}</Text>
            <TextInput
              label={t('account.email.new')}
              type="email"
              name="email"
              autoComplete="email"
              required
              data-autofocus
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value.trim())}
            />
            <ActButtons label={t('app.continue')} busy={false} cancel={stop} />
          </Stack>
        </form>
      );
    case 'proof':
      return (
        <Stack>
          <Text size="sm">{t('account.email.proof', { email })}</Text>
          <ProofForm
            act={acts.email}
            label={t('account.email.send')}
            prove={async (proof) => {
              await startEmailChange(email, proof);
              setStep('code');
            }}
            cancel={stop}
          />
        </Stack>
      );
    case 'code':
      return (
        <Stack>
          <Text role="status" size="sm">
            {t('register.code.text', { email })}
          </Text>
          <MailedCodeFields
            confirm={async (code) => {
              await confirmEmailChange(code);
              drop();
              setStep('done');
            }}
            cancel={stop}
          />
        </Stack>
      );
    case 'done':
      return (
        <Text role="status" size="sm">
          {t('account.email.done', { email })}
        </Text>
      );
  }
}
