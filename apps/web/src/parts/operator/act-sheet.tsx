import { Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useOperatorText } from '../../text/operator/index.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { ActButtons } from '../act-buttons.tsx';
import { Problem, useAct } from '../problem.tsx';

/**
 * One act that matters: what will happen, then its button and the way out.
 * @param props.typed what is typed before an act that destroys or stops something
 * @param props.act what it does; the sheet closes when it is done
 */
export function ActSheet(props: {
  title: string;
  text: ReactNode;
  label: string;
  act: () => Promise<unknown>;
  close: () => void;
  typed?: string | undefined;
  danger?: boolean;
  disabled?: boolean;
  children?: ReactNode;
}) {
  const {
    title,
    text,
    label,
    act,
    close,
    typed,
    danger = typed !== undefined,
    disabled = false,
    children,
  } = props;
  const { t } = useOperatorText();
  const { busy, error, run } = useAct();
  const [given, setGiven] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      await act();
      close();
    });
  };
  return (
    <Sheet title={title} opened close={close} closeLabel={t('app.close')}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm" component="div">
            {text}
          </Text>
          {children}
          {typed !== undefined && (
            <TextInput
              label={t('operator.type', { name: typed })}
              autoComplete="off"
              value={given}
              onChange={(event) => setGiven(event.currentTarget.value)}
            />
          )}
          <Problem error={error} />
          <ActButtons
            label={label}
            busy={busy}
            disabled={disabled || (typed !== undefined && given.trim() !== typed.trim())}
            {...(danger && { color: 'red' })}
            cancel={close}
          />
        </Stack>
      </form>
    </Sheet>
  );
}
