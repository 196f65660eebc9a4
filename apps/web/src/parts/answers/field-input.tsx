import { Checkbox, Select, Stack, TextInput } from '@mantine/core';
import { type ResolvedFieldType, usStates } from '@symbolon/field-types';
import { addressOrder } from '../../platform/addresses.ts';
import type { Typed } from '../../platform/given.ts';
import { withoutGroups } from '../../platform/groups.ts';
import { numberAsKept, numberAsTyped } from '../../platform/numbers.ts';
import { useText } from '../../text/index.tsx';
import { optionText } from '../../text/options.ts';
import { useCountries, useHomeCountry } from '../countries.ts';
import { useFieldLabel } from '../field-label.ts';
import { keyboardOf } from './inner/keyboard.ts';
import { PhoneInput } from './inner/phone-input.tsx';
import { WrittenInput } from './inner/written-input.tsx';

export type Choice = { value: string; label: string };

/** What stands in the inputs of a type at first. @param text of the value that is changed */
export function typedOf({ input }: Pick<ResolvedFieldType, 'input'>, text: string): Typed {
  if (input === 'multilist') return listOf(text);
  return input === 'composite' ? membersOf(text) : text;
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

/** The inputs of one value, as its type in the registry says. */
export function FieldInput(props: {
  type: ResolvedFieldType;
  label: string;
  /** In place of those of the type, where that has none. */
  options?: readonly Choice[] | undefined;
  required?: boolean;
  hint?: string | undefined;
  error?: string | undefined;
  value: Typed;
  change: (value: Typed) => void;
}) {
  const { type, label, value, change, required = true, hint, error } = props;
  const labelOf = useFieldLabel();
  const { language } = useText();
  const home = useHomeCountry();
  if (type.input === 'composite') {
    const members =
      typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, string>) : {};
    const isAddress = type.lineage.includes('address');
    const country = members.country || home;
    const all = type.fields ?? [];
    const membersShown = isAddress ? addressOrder(all, country, members) : all;
    return (
      <Stack component="fieldset" gap="sm" m={0} p={0} bd={0} miw={0} aria-label={label}>
        {membersShown.map((member) => (
          <ValueInput
            key={member.key}
            label={labelOf.member(member.key)}
            input={member.input}
            lineage={type.lineage}
            member={member.key}
            country={isAddress ? country : undefined}
            options={member.options}
            required={required && member.required}
            value={members[member.key] ?? ''}
            change={(text) => change({ ...members, [member.key]: text })}
          />
        ))}
      </Stack>
    );
  }
  const choices = type.options?.length
    ? type.options.map((value) => ({ value, label: optionText(type, value, language) ?? value }))
    : props.options;
  if (type.input === 'multilist')
    return (
      <Checkbox.Group
        size="md"
        label={label}
        description={hint}
        error={error}
        value={Array.isArray(value) ? [...value] : []}
        onChange={change}
      >
        <Stack gap={4} mt={4}>
          {choices?.map((choice) => (
            <Checkbox key={choice.value} {...choice} size="md" py={6} />
          ))}
        </Stack>
      </Checkbox.Group>
    );
  return (
    <ValueInput
      label={label}
      input={type.input}
      options={choices}
      required={required}
      hint={hint}
      error={error}
      lineage={type.lineage}
      value={typeof value === 'string' ? value : ''}
      change={change}
    />
  );
}

/** One input, by what shapes its value. */
export function ValueInput(props: {
  label: string;
  input: string;
  options: readonly (string | Choice)[] | null | undefined;
  required: boolean;
  hint?: string | undefined;
  error?: string | undefined;
  /** The types above it, and at the end the type. */
  lineage?: readonly string[];
  /** Of a composite type. */
  member?: string;
  /** Of the address that it is a part of. */
  country?: string | undefined;
  value: string;
  change: (value: string) => void;
}) {
  const { label, input, required, hint, error, lineage = [], member, country, value, change } = props;
  const { language } = useText();
  const keyboard = keyboardOf(lineage, member, country);
  const choices = useChoices(input) ?? (props.options?.length ? [...props.options] : undefined);
  if (choices !== undefined) {
    return (
      <Select
        label={label}
        data={choices}
        searchable
        autoComplete={keyboard.autoComplete}
        description={hint}
        required={required}
        error={error}
        clearable={!required}
        value={value === '' ? null : value}
        onChange={(next) => change(next ?? '')}
      />
    );
  }
  const type =
    TYPES.find(([name]) => name === input || (member === undefined && lineage.includes(name)))?.[1] ?? 'text';
  if (type === 'tel') return <PhoneInput {...{ label, keyboard, required, hint, error, value, change }} />;
  const written = writtenAs(lineage, member, language);
  if (written !== undefined)
    return (
      <WrittenInput
        {...{ keyboard, label, required, value, change }}
        {...written}
        description={hint}
        error={error}
      />
    );
  return (
    <TextInput
      label={label}
      type={type}
      {...keyboard}
      description={hint}
      required={required}
      error={error}
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

/** How a text is written that is kept in another way; undefined where it is kept as it is written. */
function writtenAs(lineage: readonly string[], member: string | undefined, language: string) {
  if (member === undefined && lineage.includes('number'))
    return {
      asKept: (typed: string) => numberAsKept(typed, language),
      asTyped: (kept: string) => numberAsTyped(kept, language),
    };
  // With what stands between its groups, an IBAN of many countries is longer than the platform takes.
  if (member !== undefined && lineage.some((type) => IN_GROUPS[type]?.includes(member)))
    return { asKept: withoutGroups, asTyped: (kept: string) => kept };
  return undefined;
}

/** What is printed in groups, by the composite type. */
const IN_GROUPS: Readonly<Record<string, readonly string[]>> = {
  creditcard: ['number'],
  bank: ['account_number', 'swift', 'routing_number'],
};

/** The inputs that browsers have for some types. Numbers are typed as text: their input hides what it does not take. */
const TYPES = [
  ['date', 'date'],
  ['phone', 'tel'],
  ['email', 'email'],
] as const;

/** What stands in a list that the pages know themselves. */
function useChoices(input: string): Choice[] | undefined {
  const countries = useCountries();
  if (input === 'state') return usStates.map(({ code, name }) => ({ value: code, label: name }));
  if (input !== 'country' && input !== 'nationality') return undefined;
  return countries.map(({ code, name }) => ({ value: code, label: name }));
}
