import { Alert, Button, Code, Stack, Text, TextInput } from '@mantine/core';
import { type NamedKey, type SymbolonError, UnconfirmedKeyError } from '@symbolon/sdk/device';
import { type FormEvent, useState } from 'react';
import { useSession } from '../platform/session.ts';
import { useText } from '../text/index.tsx';
import classes from './changed-key.module.css';
import { Problem, useAct } from './problem.tsx';

/** Whether it is another key than before. That of a link has to be the one of the link, whatever words are typed. */
export function isChangedKey(error: unknown): error is UnconfirmedKeyError {
  if (!(error instanceof UnconfirmedKeyError) || error.errorKey === 'sdk.link_key_differs') return false;
  return 'fingerprint' in error.details;
}

/** A site or service has another key than before: what that means, and how to find out whether it is right. */
export function ChangedKey(props: {
  error: SymbolonError;
  /** The key that the platform names now. */
  named: NamedKey;
  /** Whose key it is. */
  name: string;
  /** The company or person to ask for the words. */
  company: string;
  /** What happens once the words are right. */
  label: string;
  confirmed: () => void;
}) {
  const { error, named, name, company, label, confirmed } = props;
  const { t } = useText();
  const session = useSession();
  const act = useAct();
  const [words, setWords] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    act.run(async () => {
      if (session.state !== 'in') return;
      const { confirmKey } = await import('../platform/known-keys.ts');
      await confirmKey(session.person.person_user_id, named, words);
      confirmed();
    });
  };
  return (
    <Alert
      color="red"
      variant="light"
      title={t('keys.changed', { name })}
      role="alert"
      classNames={{ body: classes.body ?? '' }}
    >
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text size="sm">{t('keys.changed.text', { company })}</Text>
          <Code block className={classes.fingerprint}>
            {String(error.details.fingerprint).match(/.{4}/g)?.join(' ')}
          </Code>
          <TextInput
            label={t('keys.words')}
            description={t('keys.words.hint', { company })}
            autoComplete="off"
            required
            value={words}
            onChange={(event) => setWords(event.currentTarget.value)}
          />
          <Problem error={act.error} />
          <Button
            type="submit"
            color="red"
            loading={act.busy}
            h="auto"
            mih={44}
            py="xs"
            classNames={{ label: classes.label ?? '' }}
          >
            {label}
          </Button>
        </Stack>
      </form>
    </Alert>
  );
}
