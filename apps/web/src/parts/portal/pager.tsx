import { Button, Group, Text } from '@mantine/core';
import { usePortalText } from '../../text/portal/index.tsx';

/** Which rows of a list are shown, and the way to newer and older ones. @param props.page from 0 */
export function Pager(props: {
  page: number;
  /** Rows of a whole page. */
  size: number;
  shown: number;
  total: number;
  go: (page: number) => void;
}) {
  const { page, size, shown, total, go } = props;
  const { t } = usePortalText();
  const first = page * size;
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed">
        {t('audit.page', { from: first + 1, to: first + shown, total })}
      </Text>
      <Group gap="xs">
        <Button variant="default" size="sm" disabled={page === 0} onClick={() => go(page - 1)}>
          {t('audit.newer')}
        </Button>
        <Button variant="default" size="sm" disabled={first + shown >= total} onClick={() => go(page + 1)}>
          {t('audit.older')}
        </Button>
      </Group>
    </Group>
  );
}
