import { Group, Stack, Text } from '@mantine/core';
import { countOf, useWaiting } from '../platform/waiting.ts';
import { useText } from '../text/index.tsx';
import { ME_PAGES } from './inner/me-pages.ts';
import { WaitingCount } from './inner/waiting-count.tsx';
import { TextLink } from './text-link.tsx';

/** Where a person who is signed in can go, and where something waits. */
export function MyPages({ here }: { here?: string }) {
  const { t } = useText();
  const waits = useWaiting();
  return (
    <Stack gap="md">
      {ME_PAGES.filter(({ to }) => to !== here).map(({ to, title, lead, waiting }) => (
        <Stack key={to} gap={0}>
          <Group gap="xs">
            <TextLink to={to} fw={600}>
              {t(title)}
            </TextLink>
            {waiting !== undefined && <WaitingCount count={countOf(waits[waiting])} />}
          </Group>
          <Text size="sm" c="dimmed">
            {t(lead)}
          </Text>
        </Stack>
      ))}
    </Stack>
  );
}
