import { Stack } from '@mantine/core';
import type { ResolvedFieldType } from '@symbolon/field-types';
import type { ValueInput as Value } from '@symbolon/sdk/device';
import { type FormEvent, useState } from 'react';
import { ActButtons } from '../act-buttons.tsx';
import { Problem, useAct } from '../problem.tsx';
import { FieldInput, typedOf } from './field-input.tsx';

type Props = {
  type: ResolvedFieldType;
  /** Of the one input, where there is one. */
  label: string;
  /** What stands in it at first: the text of the value. */
  initial?: string;
  submit: string;
  save: (value: Value) => Promise<void>;
  cancel?: (() => void) | undefined;
};

/** A value of a type, typed here. */
export function ValueForm({ type, label, initial = '', submit, save, cancel }: Props) {
  const { busy, error, run } = useAct();
  const [value, setValue] = useState(() => typedOf(type, initial));
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    // A form in a page that has another one: only this value is meant.
    event.stopPropagation();
    run(() => save(value));
  };
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm">
        <FieldInput type={type} label={label} value={value} change={setValue} />
        <Problem error={error} />
        <ActButtons variant="light" label={submit} busy={busy} cancel={cancel} />
      </Stack>
    </form>
  );
}
