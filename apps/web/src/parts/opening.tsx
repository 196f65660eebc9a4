import { Progress, Skeleton, Stack, Text } from '@mantine/core';
import { useText } from '../text/index.tsx';

/** In place of what is fetched and opened: how much of it has come. @param come from 0 to 1; 0 while unknown */
export function Opening({ come, height }: { come: number; height: number }) {
  const { t } = useText();
  return (
    <Stack gap="xs" role="status">
      <Text size="sm">{t('files.opening')}</Text>
      <Progress value={come * 100} aria-label={t('files.opening')} />
      <Skeleton h={height} radius={8} />
    </Stack>
  );
}
