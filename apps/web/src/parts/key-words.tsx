import { Text } from '@mantine/core';
import { wordsOfQuery } from '../platform/key-words.ts';
import { useRead } from '../platform/read.ts';
import { useInsideText } from '../text/inside/index.tsx';

/** A key in words: of a service, unless the label says of whom. Its owner sees the same, so that both can compare them. */
export function KeyWords({ publicKey, label }: { publicKey: string; label?: string }) {
  const { t } = useInsideText();
  const { found } = useRead(wordsOfQuery(publicKey));
  return (
    <Text size="sm" c="dimmed">
      {label ?? t('companies.words')}{' '}
      <Text span inherit fw={600} c="var(--mantine-color-text)">
        {found ?? '…'}
      </Text>
    </Text>
  );
}
