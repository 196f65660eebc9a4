import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';

/** Finds rows of a list as one types. */
export function Search({
  label,
  value,
  change,
}: {
  label: string;
  value: string;
  change: (value: string) => void;
}) {
  return (
    <TextInput
      type="search"
      autoComplete="off"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={18} aria-hidden="true" />}
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}
