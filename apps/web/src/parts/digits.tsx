import { PinInput, Stack, Text } from '@mantine/core';
import { useId } from 'react';
import { useText } from '../text/index.tsx';

/** The two digits that another screen shows, typed here: approving needs both screens. */
export function Digits(props: { label: string; value: string; change: (value: string) => void }) {
  const { t } = useText();
  const label = useId();
  return (
    <Stack gap="xs">
      <Text id={label} fw={600}>
        {props.label}
      </Text>
      <PinInput
        length={2}
        type="number"
        // The other screen shows them: no message brings them.
        oneTimeCode={false}
        size="xl"
        value={props.value}
        onChange={props.change}
        aria-labelledby={label}
        getInputProps={(index) => ({ 'aria-label': t('approvals.digit', { number: index + 1 }) })}
      />
    </Stack>
  );
}
