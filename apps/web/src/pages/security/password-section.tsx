import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { SymbolonError } from '@symbolon/sdk/device';
import { type FormEvent, useEffect, useState } from 'react';
import { ActButtons } from '../../parts/act-buttons.tsx';
import { useCodeWhenAsked } from '../../parts/code-when-asked.tsx';
import { PasswordField } from '../../parts/fields.tsx';
import { Problem, useAct, useErrorText } from '../../parts/problem.tsx';
import { Section } from '../../parts/section.tsx';
import { Unlock } from '../../parts/unlock.tsx';
import { changePasswordByPasskey } from '../../platform/passkeys.ts';
import { secondMember } from '../../platform/presence.ts';
import { changePassword } from '../../platform/security.ts';
import { type PasskeyCopy, passkeyCopyOf, type SignedIn, wrappedKeyOf } from '../../platform/session.ts';
import { useText } from '../../text/index.tsx';

/** What this browser can open the private key with, which a new password wraps again. */
type Means = 'password' | 'nothing' | PasskeyCopy;

export function PasswordSection({ session }: { session: SignedIn }) {
  const { t } = useText();
  const [open, setOpen] = useState(false);
  const [changed, setChanged] = useState(false);
  return (
    <Section title={t('password')} lead={t('password.lead')}>
      <Text role="status" size="sm" hidden={!changed}>
        {changed ? t('password.changed') : ''}
      </Text>
      {open ? (
        <Change
          session={session}
          done={() => {
            setOpen(false);
            setChanged(true);
          }}
          cancel={() => setOpen(false)}
        />
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

type ChangeProps = { session: SignedIn; done: () => void; cancel: () => void };

/** After a sign-in by a passkey that does not open the private key, the present password opens it first. */
function Change(props: ChangeProps) {
  const { person } = props.session;
  const { error, run } = useAct();
  const [means, setMeans] = useState<Means>();
  useEffect(() => {
    // With other keys there are other means: it is asked again after the password was typed.
    if (props.session.keys === undefined) return setMeans('nothing');
    run(async () => {
      const hasCopy = (await wrappedKeyOf(person.person_user_id)) !== undefined;
      setMeans(hasCopy ? 'password' : ((await passkeyCopyOf(person.person_user_id)) ?? 'nothing'));
    });
  }, [person.person_user_id, props.session.keys, run]);
  if (means === undefined)
    return error === undefined ? <Skeleton h={96} radius={8} /> : <Problem error={error} />;
  return means === 'nothing' ? <Unlock /> : <ChangeForm {...props} means={means} />;
}

function ChangeForm({ session, means, done, cancel }: ChangeProps & { means: 'password' | PasskeyCopy }) {
  const { t } = useText();
  const textOf = useErrorText();
  const { busy, error, run } = useAct();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const { attempt, codeField } = useCodeWhenAsked();
  const isWeak = error instanceof SymbolonError && error.errorKey === 'sdk.password_weak';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      await attempt(async (code) => {
        const second = code === undefined ? {} : { second: secondMember(code) };
        if (means === 'password') await changePassword(session, { current, next, ...second });
        else await changePasswordByPasskey(session, means, next);
        done();
      });
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <input type="hidden" name="username" autoComplete="username" value={session.person.email} readOnly />
        {means === 'password' ? (
          <PasswordField
            label={t('password.current')}
            name="current-password"
            value={current}
            change={setCurrent}
          />
        ) : (
          <Text size="sm">{t('password.byPasskey')}</Text>
        )}
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
        <ActButtons label={t('password.change')} busy={busy} cancel={cancel} />
      </Stack>
    </form>
  );
}
