import { TextInput } from '@mantine/core';
import { useText } from '../../text/index.tsx';

/** A code of the second factor. */
export function CodeInput({ value, change }: { value: string; change: (value: string) => void }) {
  const { t } = useText();
  return (
    <TextInput
      label={t('proof.totp')}
      description={t('proof.totp.hint')}
      name="code"
      autoComplete="one-time-code"
      required
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}
