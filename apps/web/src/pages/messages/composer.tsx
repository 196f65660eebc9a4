import { Button, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { ChangedKey, isChangedKey } from '../../parts/changed-key.tsx';
import { Problem, useAct } from '../../parts/problem.tsx';
import { MESSAGE_MOST, type Partner } from '../../platform/messages.ts';
import { useText } from '../../text/index.tsx';
import classes from './messages.module.css';

/** A phone has no such keys. */
const HAS_KEYS = matchMedia('(pointer: fine)').matches;

type Props = { whom: Partner; send: (text: string) => Promise<void> };

/** Where the person writes. What could not be sent stays. */
export function Composer({ whom, send }: Props) {
  const { t } = useText();
  const { busy, error, run, clear } = useAct();
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const company = whom.company.display_name;
  const isEmpty = text.trim() === '';
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (isEmpty || busy) return;
    run(async () => {
      await send(text);
      setText('');
      field.current?.focus();
    });
  };
  const { id, public_key: publicKey } = whom.service;
  return (
    <form onSubmit={submit} className={classes.composer}>
      <Stack gap="xs">
        {isChangedKey(error) ? (
          <ChangedKey
            error={error}
            named={{ kind: 'service', id, publicKey }}
            name={company}
            company={company}
            label={t('keys.confirm.send')}
            confirmed={submit}
          />
        ) : (
          <Problem error={error} />
        )}
        <Textarea
          ref={field}
          autoComplete="off"
          label={t('messages.write', { company })}
          description={HAS_KEYS && t('messages.write.hint')}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={MESSAGE_MOST}
          value={text}
          onChange={(event) => {
            clear();
            setText(event.currentTarget.value);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
          }}
        />
        {text.length > MESSAGE_MOST * 0.9 && (
          <Text size="sm" c="dimmed" role="status">
            {t('messages.left', { left: MESSAGE_MOST - text.length })}
          </Text>
        )}
        <Button type="submit" loading={busy} disabled={isEmpty}>
          {t('messages.send', { company })}
        </Button>
      </Stack>
    </form>
  );
}
