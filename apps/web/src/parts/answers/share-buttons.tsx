import { Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../../text/index.tsx';
import type { Asked } from './asked.ts';
import type { AllPicked } from './use-picked.ts';

/** Shares what was chosen, once nothing that is needed is missing; below it stand the other ways out. */
export function ShareButtons(props: {
  label: string;
  share: () => void;
  busy: boolean;
  asked: readonly Asked[];
  picked: AllPicked;
  children: ReactNode;
}) {
  const { label, share, busy, asked, picked, children } = props;
  const { t } = useText();
  const isWhole = asked.every(({ key, required }) => !required || picked.has(key));
  return (
    <Stack gap="sm">
      <Button onClick={share} loading={busy} disabled={!isWhole}>
        {label}
      </Button>
      {!isWhole && (
        <Text size="sm" c="dimmed">
          {t('consent.missing')}
        </Text>
      )}
      {children}
    </Stack>
  );
}
