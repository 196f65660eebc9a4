import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import type { Keyboard } from './keyboard.ts';

interface Props extends Omit<TextInputProps, 'value' | 'onChange'> {
  keyboard: Keyboard;
  value: string;
  change: (value: string) => void;
  /** What is kept of what is typed. */
  asKept: (typed: string) => string;
  /** How a kept value is typed. */
  asTyped: (kept: string) => string;
}

/** A text that people write in another way than it is kept in: what they typed stays as they typed it. */
export function WrittenInput({ keyboard, value, change, asKept, asTyped, ...input }: Props) {
  /** What stands in the input, and what came of it. */
  const [typed, setTyped] = useState<{ text: string; kept: string }>();
  const text = typed?.kept === value ? typed.text : asTyped(value);
  return (
    <TextInput
      {...keyboard}
      {...input}
      value={text}
      onChange={({ currentTarget: { value: next } }) => {
        const kept = asKept(next);
        setTyped({ text: next, kept });
        change(kept);
      }}
    />
  );
}
