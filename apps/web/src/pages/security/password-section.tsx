import { Button, Group, Stack, Text } from '@mantine/core';
import { SymbolonError } from '@symbolon/sdk/device';
import { type FormEvent, useState } from 'react';
import { useCodeWhenAsked } from '../../parts/code-when-asked.tsx';
import { PasswordField } from '../../parts/fields.tsx';
import { Problem, useAct, useErrorText } from '../../parts/problem.tsx';
import { Section } from '../../parts/section.tsx';
import { secondMember } from '../../platform/presence.ts';
import { changePassword } from '../../platform/security.ts';
import type { SignedIn } from '../../platform/session.ts';
import { useText } from '../../text/index.tsx';

export function PasswordSection({ session }: { session: SignedIn }) {
  const { t } = useText();
  const textOf = useErrorText();
  const { busy, error, run } = useAct();
  const [open, setOpen] = useState(false);
  const [changed, setChanged] = useState(false);
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const { attempt, codeField } = useCodeWhenAsked();
  const isWeak = error instanceof SymbolonError && error.errorKey === 'sdk.password_weak';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      await attempt(async (code) => {
        const second = code === undefined ? {} : { second: secondMember(code) };
        await changePassword(session, { current, next, ...second });
        setOpen(false);
        setChanged(true);
        setCurrent('');
        setNext('');
      });
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
            <PasswordField
              label={t('password.current')}
              name="current-password"
              value={current}
              change={setCurrent}
            />
            <PasswordField
              label={t('recover.password')}
              name="new-password"
              isNew
              value={next}
              change={setNext}
              error={isWeak ? textOf(error) : undefined}
            />
            {codeField}
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
