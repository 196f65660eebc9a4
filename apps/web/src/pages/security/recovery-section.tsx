import { Button, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ActButtons } from '../../parts/act-buttons.tsx';
import { useCodeWhenAsked } from '../../parts/code-when-asked.tsx';
import { PasswordField } from '../../parts/fields.tsx';
import { Problem, useAct } from '../../parts/problem.tsx';
import { RecoveryCode } from '../../parts/recovery-code.tsx';
import { Section } from '../../parts/section.tsx';
import { passwordProof, secondMember } from '../../platform/presence.ts';
import { newRecoveryCode } from '../../platform/security.ts';
import type { SignedIn } from '../../platform/session.ts';
import { useText } from '../../text/index.tsx';

/** A new recovery code: the password opens the key that it wraps. */
export function RecoverySection({ session }: { session: SignedIn }) {
  const { t } = useText();
  const { busy, error, run } = useAct();
  const [open, setOpen] = useState(false);
  const [password, setPassword] = useState('');
  const { attempt, codeField } = useCodeWhenAsked();
  const [made, setMade] = useState<string>();
  const { email } = session.person;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      await attempt(async (code) => {
        const proof = await passwordProof({ email, password });
        const second = code === undefined ? {} : secondMember(code);
        setMade(await newRecoveryCode(session, password, { ...proof, ...second }));
        setOpen(false);
      });
    });
  };
  return (
    <Section title={t('recovery.label')} lead={t('recovery.lead')}>
      {made !== undefined && (
        <Stack gap="sm" role="status">
          <Text size="sm">{t('recovery.text')}</Text>
          <RecoveryCode email={email} code={made} />
        </Stack>
      )}
      {open ? (
        <form onSubmit={submit}>
          <Stack>
            <PasswordField label={t('proof.password')} value={password} change={setPassword} />
            {codeField}
            <Problem error={error} />
            <ActButtons label={t('recovery.make')} busy={busy} cancel={() => setOpen(false)} />
          </Stack>
        </form>
      ) : (
        made === undefined && (
          <Group>
            <Button variant="default" onClick={() => setOpen(true)}>
              {t('recovery.make')}
            </Button>
          </Group>
        )
      )}
    </Section>
  );
}
