import { Alert, Button, Code, Stack, Text, TextInput } from '@mantine/core';
import { type SymbolonError, UnconfirmedKeyError } from '@symbolon/sdk/device';
import { type FormEvent, useState } from 'react';
import { Problem, useAct } from '../../parts/problem.tsx';
import type { Request } from '../../platform/consent.ts';
import { useSession } from '../../platform/session.ts';
import { useText } from '../../text/index.tsx';
import classes from './changed-key.module.css';

export function isChangedKey(error: unknown): error is UnconfirmedKeyError {
  return error instanceof UnconfirmedKeyError;
}

/** A site or service has another key than before: what that means, and how to find out whether it is right. */
export function ChangedKey(props: { error: SymbolonError; request: Request; confirmed: () => void }) {
  const { error, request, confirmed } = props;
  const { t } = useText();
  const session = useSession();
  const act = useAct();
  const [words, setWords] = useState('');
  const isService = error.errorKey === 'sdk.service_key_changed';
  const { app, connect, company } = request;
  const key = isService
    ? {
        kind: 'service' as const,
        id: connect?.service.id ?? '',
        publicKey: connect?.service.public_key ?? '',
      }
    : { kind: 'app' as const, id: app.client_id, publicKey: app.public_key ?? '' };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    act.run(async () => {
      if (session.state !== 'in') return;
      const { confirmKey } = await import('../../platform/known-keys.ts');
      await confirmKey(session.person.person_user_id, key, words);
      confirmed();
    });
  };
  return (
    <Alert
      color="red"
      variant="light"
      title={t('keys.changed', { name: isService ? company.display_name : app.name })}
      role="alert"
    >
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text size="sm">{t('keys.changed.text', { company: company.display_name })}</Text>
          <Code block className={classes.fingerprint}>
            {String(error.details.fingerprint).match(/.{4}/g)?.join(' ')}
          </Code>
          <TextInput
            label={t('keys.words')}
            description={t('keys.words.hint', { company: company.display_name })}
            autoComplete="off"
            required
            value={words}
            onChange={(event) => setWords(event.currentTarget.value)}
          />
          <Problem error={act.error} />
          <Button type="submit" color="red" loading={act.busy}>
            {t('keys.confirm')}
          </Button>
        </Stack>
      </form>
    </Alert>
  );
}
