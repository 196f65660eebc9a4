import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Problem, useAct } from '../../parts/problem.tsx';
import { RecoveryCode } from '../../parts/recovery-code.tsx';
import { Section } from '../../parts/section.tsx';
import { passwordProof, secondMember } from '../../platform/presence.ts';
import { newRecoveryCode } from '../../platform/security.ts';
import type { SignedIn } from '../../platform/session.ts';
import { useText } from '../../text/index.tsx';
import { CodeInput } from './code-input.tsx';
import { needsSecondFactor } from './needs-second-factor.ts';

/** A new recovery code: the password opens the key that it wraps. */
export function RecoverySection({ session }: { session: SignedIn }) {
  const { t } = useText();
  const { busy, error, run } = useAct();
  const [open, setOpen] = useState(false);
  const [password, setPassword] = useState('');
  const [asksCode, setAsksCode] = useState(false);
  const [code, setCode] = useState('');
  const [made, setMade] = useState<string>();
  const { email } = session.person;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      try {
        const proof = await passwordProof({ email, password });
        setMade(await newRecoveryCode(session, password, { ...proof, ...(asksCode && secondMember(code)) }));
        setOpen(false);
      } catch (failure) {
        if (asksCode || !needsSecondFactor(failure)) throw failure;
        setAsksCode(true);
      }
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
            <PasswordInput
              label={t('proof.password')}
              name="password"
              autoComplete="current-password"
              required
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
              visibilityToggleButtonProps={{ 'aria-label': t('password.show') }}
            />
            {asksCode && <CodeInput value={code} change={setCode} />}
            <Problem error={error} />
            <Group>
              <Button type="submit" loading={busy}>
                {t('recovery.make')}
              </Button>
              <Button variant="subtle" color="gray" onClick={() => setOpen(false)}>
                {t('app.cancel')}
              </Button>
            </Group>
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
