import { Select, Stack, TextInput } from '@mantine/core';
import { countries, type ResolvedFieldType } from '@symbolon/field-types';
import type { ValueInput as Value } from '@symbolon/sdk/device';
import { type FormEvent, useState } from 'react';
import { useText } from '../../text/index.tsx';
import { ActButtons } from '../act-buttons.tsx';
import { useFieldLabel } from '../field-label.ts';
import { Problem, useAct } from '../problem.tsx';

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
  const labelOf = useFieldLabel();
  const { busy, error, run } = useAct();
  const isComposite = type.input === 'composite';
  const isList = type.input === 'multilist';
  const [text, setText] = useState(isList ? (listOf(initial)[0] ?? '') : initial);
  const [members, setMembers] = useState<Readonly<Record<string, string>>>(
    isComposite ? membersOf(initial) : {},
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    // A form in a page that has another one: only this value is meant.
    event.stopPropagation();
    run(() => save(isComposite ? members : isList ? [text] : text));
  };
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm">
        {isComposite ? (
          (type.fields ?? []).map(({ key, input, options, required }) => (
            <ValueInput
              key={key}
              label={labelOf.member(key)}
              input={input}
              options={options}
              required={required}
              value={members[key] ?? ''}
              change={(value) => setMembers({ ...members, [key]: value })}
            />
          ))
        ) : (
          <ValueInput
            label={label}
            input={type.input}
            options={type.options}
            required
            email={type.lineage.includes('email')}
            value={text}
            change={setText}
          />
        )}
        <Problem error={error} />
        <ActButtons variant="light" label={submit} busy={busy} cancel={cancel} />
      </Stack>
    </form>
  );
}

function membersOf(text: string): Record<string, string> {
  try {
    return { ...JSON.parse(text) };
  } catch {
    return {};
  }
}

function listOf(text: string): string[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.map(String) : [];
  } catch {
    return [];
  }
}

/** One input, by what shapes its value. */
export function ValueInput(props: {
  label: string;
  input: string;
  options: readonly string[] | null | undefined;
  required: boolean;
  email?: boolean;
  value: string;
  change: (value: string) => void;
}) {
  const { label, input, required, value, change } = props;
  const { language } = useText();
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const choices =
    input === 'country' || input === 'nationality'
      ? countries.map(({ code, name }) => ({ value: code, label: names.of(code) ?? name }))
      : props.options && props.options.length > 0
        ? [...props.options]
        : undefined;
  if (choices !== undefined) {
    return (
      <Select
        label={label}
        data={choices}
        searchable
        required={required}
        value={value === '' ? null : value}
        onChange={(next) => change(next ?? '')}
      />
    );
  }
  const type = input === 'date' ? 'date' : input === 'phone' ? 'tel' : props.email ? 'email' : 'text';
  return (
    <TextInput
      label={label}
      type={type}
      required={required}
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}
