import { Button, Group, Stack, Text } from '@mantine/core';
import type { Drawings } from '../../platform/drawings.ts';
import { useInsideText } from '../../text/inside/index.tsx';

/** Why it cannot be signed yet, or what was not compared. */
export function DrawingsNote({ drawings, again }: { drawings: Drawings; again: () => void }) {
  const { t } = useInsideText();
  if (drawings.state === 'comparing') return <Comparing progress={drawings.progress} />;
  if (drawings.state === 'failed')
    return (
      <Stack gap="xs">
        <Text size="sm" c="dimmed" role="status">
          {t('documents.drawn.failed')}
        </Text>
        <Group>
          <Button variant="default" onClick={again}>
            {t('app.retry')}
          </Button>
        </Group>
      </Stack>
    );
  if (drawings.state === 'apart' || drawings.compared === drawings.pages) return null;
  return (
    <Text size="sm" c="dimmed" role="status">
      {t('documents.drawn.part', { compared: drawings.compared, pages: drawings.pages })}
    </Text>
  );
}

function Comparing({ progress }: { progress: { compared: number; pages: number } | undefined }) {
  const { t } = useInsideText();
  return (
    <div>
      <Text size="sm" c="dimmed" role="status">
        {t('documents.drawn.comparing')}
      </Text>
      {progress !== undefined && (
        <Text size="sm" c="dimmed">
          {t('documents.drawn.progress', progress)}
        </Text>
      )}
    </div>
  );
}
