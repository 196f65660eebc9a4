import { Text } from '@mantine/core';
import { wordsOfQuery } from '../platform/key-words.ts';
import { useRead } from '../platform/read.ts';
import { useInsideText } from '../text/inside/index.tsx';

/** The key of a service in words. Its company sees the same, so that both can compare them. */
export function KeyWords({ publicKey }: { publicKey: string }) {
  const { t } = useInsideText();
  const { found } = useRead(wordsOfQuery(publicKey));
  return (
    <Text size="sm" c="dimmed">
      {t('companies.words')}{' '}
      <Text span inherit fw={600} c="var(--mantine-color-text)">
        {found ?? '…'}
      </Text>
    </Text>
  );
}
