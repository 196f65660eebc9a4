import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { numberAsKept, numberAsTyped } from '../../../platform/numbers.ts';
import { useText } from '../../../text/index.tsx';

interface Props extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string;
  change: (value: string) => void;
}

/** A number, typed as the language of the page writes it. */
export function NumberInput({ value, change, ...input }: Props) {
  const { language } = useText();
  /** What stands in the input, and what came of it. */
  const [typed, setTyped] = useState<{ text: string; kept: string }>();
  const text = typed?.kept === value ? typed.text : numberAsTyped(value, language);
  return (
    <TextInput
      {...input}
      value={text}
      onChange={({ currentTarget: { value: next } }) => {
        const kept = numberAsKept(next, language);
        setTyped({ text: next, kept });
        change(kept);
      }}
    />
  );
}
