import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { SymbolonError } from '@symbolon/sdk/device';
import { type FormEvent, useState } from 'react';
import { Problem, useAct, useErrorText } from '../../parts/problem.tsx';
import { Section } from '../../parts/section.tsx';
import { secondMember } from '../../platform/presence.ts';
import { changePassword } from '../../platform/security.ts';
import type { SignedIn } from '../../platform/session.ts';
import { useText } from '../../text/index.tsx';
import { CodeInput } from './code-input.tsx';
import { needsSecondFactor } from './needs-second-factor.ts';

export function PasswordSection({ session }: { session: SignedIn }) {
  const { t } = useText();
  const textOf = useErrorText();
  const { busy, error, run } = useAct();
  const [open, setOpen] = useState(false);
  const [changed, setChanged] = useState(false);
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [asksCode, setAsksCode] = useState(false);
  const [code, setCode] = useState('');
  const isWeak = error instanceof SymbolonError && error.errorKey === 'sdk.password_weak';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      try {
        await changePassword(session, { current, next, ...(asksCode && { second: secondMember(code) }) });
      } catch (failure) {
        if (asksCode || !needsSecondFactor(failure)) throw failure;
        setAsksCode(true);
        return;
      }
      setOpen(false);
      setChanged(true);
      setCurrent('');
      setNext('');
    });
  };
  return (
    <Section title={t('password')} lead={t('password.lead')}>
      <Text role="status" size="sm" hidden={!changed}>
        {changed ? t('password.changed') : ''}
      </Text>
      {open ? (
        <form onSubmit={submit}>
          <Stack>
            <input
              type="hidden"
              name="username"
              autoComplete="username"
              value={session.person.email}
              readOnly
            />
            <PasswordInput
              label={t('password.current')}
              name="current-password"
              autoComplete="current-password"
              required
              value={current}
              onChange={(event) => setCurrent(event.currentTarget.value)}
              visibilityToggleButtonProps={{ 'aria-label': t('password.show') }}
            />
            <PasswordInput
              label={t('recover.password')}
              description={t('register.password.hint')}
              name="new-password"
              autoComplete="new-password"
              required
              value={next}
              onChange={(event) => setNext(event.currentTarget.value)}
              visibilityToggleButtonProps={{ 'aria-label': t('password.show') }}
              error={isWeak ? textOf(error) : undefined}
            />
            {asksCode && <CodeInput value={code} change={setCode} />}
            {!isWeak && <Problem error={error} />}
            <Group>
              <Button type="submit" loading={busy}>
                {t('password.change')}
              </Button>
              <Button variant="subtle" color="gray" onClick={() => setOpen(false)}>
                {t('app.cancel')}
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <Group>
          <Button variant="default" onClick={() => setOpen(true)}>
            {t('password.change')}
          </Button>
        </Group>
      )}
    </Section>
  );
}
