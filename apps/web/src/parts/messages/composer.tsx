import { Button, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, type ReactNode, useRef } from 'react';
import { MESSAGE_MOST } from '../../platform/thread.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { Problem, useAct } from '../problem.tsx';
import classes from './messages.module.css';

/** A phone has no such keys. */
const HAS_KEYS = matchMedia('(pointer: fine)').matches;

type Props = {
  /** Who reads it. */
  name: string;
  text: string;
  setText: (text: string) => void;
  send: (text: string) => Promise<void>;
  /** Shows why it was not sent, where more than words helps. */
  failure?: (error: unknown, again: () => void) => ReactNode;
};

/** Where a message is written. What could not be sent stays. */
export function Composer({ name, text, setText, send, failure }: Props) {
  const { t } = useInsideText();
  const { busy, error, run, clear } = useAct();
  const field = useRef<HTMLTextAreaElement>(null);
  const isEmpty = text.trim() === '';
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (isEmpty || busy) return;
    run(async () => {
      await send(text);
      field.current?.focus();
    });
  };
  return (
    <form onSubmit={submit} className={classes.composer}>
      <Stack gap="xs">
        {failure?.(error, submit) || <Problem error={error} />}
        <Textarea
          ref={field}
          autoComplete="off"
          label={t('messages.write', { company: name })}
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
        <Button type="submit" className={classes.send ?? ''} loading={busy} disabled={isEmpty}>
          {t('messages.send', { company: name })}
        </Button>
      </Stack>
    </form>
  );
}
