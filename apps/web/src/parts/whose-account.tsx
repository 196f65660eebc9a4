import { Group, Stack, Text } from '@mantine/core';
import type { Person } from '@symbolon/protocol';
import { useText } from '../text/index.tsx';
import { CopyButton } from './inner/copy-button.tsx';

/** Who is signed in, with the code by which companies find the person. */
export function WhoseAccount({ person: { display_name: name, share_code: code } }: { person: Person }) {
  const { t } = useText();
  return (
    <Group justify="space-between">
      <Stack gap={0}>
        <Text>{t('me.title', { name })}</Text>
        <Text size="sm" c="dimmed">
          {t('me.shareCode', { code })}
        </Text>
      </Stack>
      <CopyButton value={code} label={t('me.copyCode')} />
    </Group>
  );
}
