import {
  ActionIcon,
  Button,
  type ButtonProps,
  Checkbox,
  NativeSelect,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { flowLimits } from '@symbolon/protocol/constants';
import { useEffect, useState } from 'react';
import { usePortalText } from '../../../text/portal/index.tsx';
import { resting } from '../../../ui/resting.ts';
import { useEditor } from './context.ts';

interface Of<T> {
  readonly label: string;
  readonly value: T;
  readonly change: (value: T) => void;
  readonly description?: string | undefined;
  readonly error?: string | undefined;
  /** The label is for screen readers alone. */
  readonly isBare?: boolean;
}

const labelled = ({ label, isBare }: Pick<Of<unknown>, 'label' | 'isBare'>) =>
  isBare ? { 'aria-label': label } : { label };

/** A line of text. */
export function Line(props: Of<string> & { readonly type?: 'text' | 'number' | 'date' }) {
  const { value, change, description, error, type = 'text' } = props;
  const { mayEdit } = useEditor();
  return (
    <TextInput
      {...labelled(props)}
      size="sm"
      type={type === 'number' ? 'text' : type}
      {...(type === 'number' && { inputMode: 'decimal' })}
      description={description}
      error={error}
      readOnly={!mayEdit}
      maxLength={flowLimits.labelMost}
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

/** A text of several lines. */
export function Lines(props: Of<string>) {
  const { value, change, description, error } = props;
  const { mayEdit } = useEditor();
  return (
    <Textarea
      {...labelled(props)}
      size="sm"
      autosize
      minRows={3}
      maxRows={14}
      description={description}
      error={error}
      readOnly={!mayEdit}
      maxLength={flowLimits.bodyMost}
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

/** A key by which programs name a thing. It counts when the input is left: what is half typed could be the key of another thing. */
export function KeyLine(props: Of<string> & { readonly taken: readonly string[]; readonly pattern: string }) {
  const { value, change, description, taken, pattern } = props;
  const { t } = usePortalText();
  const { mayEdit } = useEditor();
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const error = !new RegExp(pattern, 'u').test(typed)
    ? t('flow.key.invalid')
    : typed !== value && taken.includes(typed)
      ? t('flow.key.taken')
      : props.error;
  const commit = () => {
    if (typed !== value && error === undefined) change(typed);
    else if (typed !== value) setTyped(value);
  };
  return (
    <TextInput
      {...labelled(props)}
      size="sm"
      description={description}
      error={error}
      readOnly={!mayEdit}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      spellCheck={false}
      autoCapitalize="none"
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit()}
    />
  );
}

export type Choice = { readonly value: string; readonly label: string };

/** One of several. What is chosen and no longer offered stays to be seen. */
export function Pick(
  props: Of<string> & { readonly choices: readonly Choice[]; readonly placeholder?: string },
) {
  const { value, change, description, error, choices, placeholder } = props;
  const { mayEdit } = useEditor();
  const isKnown = choices.some((choice) => choice.value === value);
  const data = [
    ...(isKnown ? [] : [{ value, label: value || placeholder || '…' }]),
    ...choices.map(({ value: key, label }) => ({ value: key, label })),
  ];
  return (
    <NativeSelect
      {...labelled(props)}
      size="sm"
      data={data}
      description={description}
      error={error}
      disabled={!mayEdit}
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

export function Tick(props: Of<boolean>) {
  const { label, value, change, description } = props;
  const { mayEdit } = useEditor();
  return (
    <Checkbox
      label={label}
      description={description}
      disabled={!mayEdit}
      checked={value}
      onChange={(event) => change(event.currentTarget.checked)}
    />
  );
}

/** A button of the editor, which has many. */
export function Small({ children, act, ...button }: Omit<ButtonProps, 'h' | 'size'> & { act: () => void }) {
  const { mayEdit } = useEditor();
  return (
    <Button size="compact-sm" h={32} variant="default" disabled={!mayEdit} onClick={act} {...button}>
      {children}
    </Button>
  );
}

const SIGNS = { up: '↑', down: '↓', remove: '×' } as const;

/** A sign that does something to one entry of a list. One that has nothing more to do keeps the focus. */
export function Sign({
  of,
  label,
  act,
  disabled = false,
}: {
  of: keyof typeof SIGNS;
  label: string;
  act: () => void;
  disabled?: boolean;
}) {
  const { mayEdit } = useEditor();
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={32}
      aria-label={label}
      title={label}
      disabled={!mayEdit}
      {...resting(disabled, act)}
    >
      <Text component="span" aria-hidden size="lg" lh={1}>
        {SIGNS[of]}
      </Text>
    </ActionIcon>
  );
}
