import { Stack, Text } from '@mantine/core';
import { SymbolonError } from '@symbolon/sdk/device';
import { IconPassword } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { secondMember } from '../../platform/presence.ts';
import type { PasskeyCopy } from '../../platform/session.ts';
import type { SignInMeans } from '../../platform/sign-in-means.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { Group } from '../../ui/group.tsx';
import { IconTile } from '../../ui/icon.tsx';
import { List } from '../../ui/list.tsx';
import { ActButtons } from '../act-buttons.tsx';
import { useCodeWhenAsked } from '../code-when-asked.tsx';
import { PasswordField } from '../fields.tsx';
import { Problem, useAct, useErrorText } from '../problem.tsx';
import { RowSheet } from '../row-sheet.tsx';
import { type Locked, WhenOpen } from './when-open.tsx';

/** The password, which opens the keys. */
export function PasswordSection({ means, locked }: { means: SignInMeans; locked: Locked }) {
  const { t } = useInsideText();
  const [changed, setChanged] = useState(false);
  return (
    <Group id="password" title={t('password')} lead={t('password.lead')}>
      <Text role="status" size="sm" hidden={!changed}>
        {changed ? t('password.changed') : ''}
      </Text>
      <List>
        <RowSheet
          heading={t('password.change')}
          leading={<IconTile icon={IconPassword} tone="accent" />}
          title={t('password.change')}
        >
          {(close) => (
            <WhenOpen means={means} locked={locked}>
              {(by) => (
                <ChangeForm
                  means={means}
                  by={by}
                  done={() => {
                    close();
                    setChanged(true);
                  }}
                  cancel={close}
                />
              )}
            </WhenOpen>
          )}
        </RowSheet>
      </List>
    </Group>
  );
}

type ChangeProps = {
  means: SignInMeans;
  by: 'password' | PasskeyCopy;
  done: () => void;
  cancel: () => void;
};

function ChangeForm({ means, by, done, cancel }: ChangeProps) {
  const { t } = useInsideText();
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
        await means.changePassword(by, { current, next, ...second });
        done();
      });
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <input type="hidden" name="username" autoComplete="username" value={means.email} readOnly />
        {by === 'password' ? (
          <PasswordField
            label={t('password.current')}
            name="current-password"
            data-autofocus
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
