import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { type NoEntry, signInAsOperator } from '../../platform/operator/session.ts';
import { useOperatorText } from '../../text/operator/index.tsx';
import { Note } from '../../ui/note.tsx';
import { Frame, Sheet } from '../frame.tsx';
import { Problem, useAct } from '../problem.tsx';

/** Takes the operator token. @param wasRefused the platform took it before, and takes it no more */
export function OperatorSignIn({ wasRefused }: { wasRefused: boolean }) {
  const { t } = useOperatorText();
  const { busy, error, run } = useAct();
  const [token, setToken] = useState('');
  const [reason, setReason] = useState<NoEntry>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setReason(undefined);
    run(async () => setReason(await signInAsOperator(token)));
  };
  return (
    <Frame>
      <Sheet title={t('entry.title')} lead={t('entry.lead')}>
        {wasRefused && (
          <Note icon={IconAlertTriangle} tone="warn">
            {t('entry.refused')}
          </Note>
        )}
        <form onSubmit={submit}>
          <Stack>
            <PasswordInput
              label={t('entry.token')}
              description={t('entry.token.hint')}
              // A browser that keeps passwords would offer to keep it.
              autoComplete="off"
              required
              value={token}
              error={reason !== undefined && t(`entry.no.${reason}`)}
              onChange={(event) => setToken(event.currentTarget.value)}
              visibilityToggleButtonProps={{ 'aria-label': t('entry.show') }}
            />
            <Problem error={error} />
            <Button type="submit" loading={busy}>
              {t('signIn.submit')}
            </Button>
            <Text size="sm" c="dimmed">
              {t('entry.kept')}
            </Text>
          </Stack>
        </form>
      </Sheet>
    </Frame>
  );
}
