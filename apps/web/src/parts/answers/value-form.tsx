import { Stack, Text } from '@mantine/core';
import type { ResolvedFieldType } from '@symbolon/field-types';
import { SymbolonError, type ValueInput as Value } from '@symbolon/sdk/device';
import type { FormEvent } from 'react';
import type { Typed } from '../../platform/given.ts';
import { ActButtons } from '../act-buttons.tsx';
import { Problem, useAct } from '../problem.tsx';
import { useKept } from '../use-kept.ts';
import { useExample } from './example.ts';
import { FieldInput, typedOf } from './field-input.tsx';

type Props = {
  type: ResolvedFieldType;
  /** Of the one input, where there is one. */
  label: string;
  /** What stands in it at first: the text of the value. */
  initial?: string;
  /** The name of the draft in which what is typed stays, until it is saved or given up. */
  keptAs?: string | undefined;
  submit: string;
  save: (value: Value) => Promise<void>;
  cancel?: (() => void) | undefined;
};

/** A value of a type, typed here. */
export function ValueForm({ type, label, initial = '', keptAs, submit, save, cancel }: Props) {
  const { busy, error, run } = useAct();
  const { value, change, drop } = useKept<Typed>(keptAs, () => typedOf(type, initial));
  const isUnfit = error instanceof SymbolonError && error.errorKey === 'sdk.value_invalid';
  const example = useExample()(type);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    // A form in a page that has another one: only this value is meant.
    event.stopPropagation();
    run(async () => {
      await save(value);
      drop();
    });
  };
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm">
        <FieldInput type={type} label={label} value={value} change={change} />
        <Problem error={error}>
          {isUnfit && example !== undefined && <Text size="sm">{example}</Text>}
        </Problem>
        <ActButtons
          variant="light"
          label={submit}
          busy={busy}
          cancel={
            cancel &&
            (() => {
              drop();
              cancel();
            })
          }
        />
      </Stack>
    </form>
  );
}
