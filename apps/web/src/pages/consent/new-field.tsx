import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { countries } from '@symbolon/field-types';
import type { ValueInput } from '@symbolon/sdk/device';
import { type FormEvent, useState } from 'react';
import { useFieldLabel } from '../../parts/field-label.ts';
import { Problem, useAct } from '../../parts/problem.tsx';
import { addField, type Fields, type OpenField } from '../../platform/fields.ts';
import { useText } from '../../text/index.tsx';
import type { Asked } from './asked.ts';

type Props = {
  asked: Asked;
  label: string;
  fields: Fields;
  done: (field: OpenField) => void;
  cancel?: () => void;
};

/** A new field, typed here and kept for the next time. */
export function NewField({ asked, label, fields, done, cancel }: Props) {
  const { t } = useText();
  const labelOf = useFieldLabel();
  const { busy, error, run } = useAct();
  const type = fields.types.resolved.get(asked.type);
  const [text, setText] = useState('');
  const [members, setMembers] = useState<Readonly<Record<string, string>>>({});
  const isComposite = type?.input === 'composite';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A form in a page that has another one: only this value is meant.
    event.stopPropagation();
    const value: ValueInput = isComposite ? members : type?.input === 'multilist' ? [text] : text;
    run(async () => done(await addField({ type: asked.type, label, value }, fields)));
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {isComposite ? (
          (type?.fields ?? []).map(({ key, input, options, required }) => (
            <Value
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
          <Value
            label={t('consent.value', { label })}
            input={type?.input ?? 'line'}
            options={type?.options ?? null}
            required
            email={asked.type === 'email'}
            value={text}
            change={setText}
          />
        )}
        <Problem error={error} />
        <Group>
          <Button type="submit" variant="light" loading={busy}>
            {t('consent.keep')}
          </Button>
          {cancel && (
            <Button variant="subtle" color="gray" onClick={cancel}>
              {t('app.cancel')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

function Value(props: {
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
