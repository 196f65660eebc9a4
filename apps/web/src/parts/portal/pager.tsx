import { Button, Group } from '@mantine/core';
import { usePortalText } from '../../text/portal/index.tsx';

/** The way to newer and older rows, where there are some. */
export function NewerOlder({ newer, older }: { newer?: () => void; older?: () => void }) {
  const { t } = usePortalText();
  if (newer === undefined && older === undefined) return null;
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" size="sm" disabled={newer === undefined} onClick={newer}>
        {t('audit.newer')}
      </Button>
      <Button variant="default" size="sm" disabled={older === undefined} onClick={older}>
        {t('audit.older')}
      </Button>
    </Group>
  );
}

/**
 * The place in a list whose pages follow one another by a mark.
 * @param way the marks up to here, as they stand in the address; nothing for the first page
 * @param go puts the marks into the address
 * @returns where the page begins, empty for the first; and the ways from it, given the mark of the next page
 */
export function marksOf(way: string | undefined, go: (way: string | undefined) => void) {
  const places = (way ?? '').split('.').filter((mark) => mark !== '');
  const to = (next: readonly string[]) => go(next.length === 0 ? undefined : next.join('.'));
  return {
    before: places.at(-1) ?? '',
    ways: (next: string | null | undefined) => ({
      ...(places.length > 0 && { newer: () => to(places.slice(0, -1)) }),
      ...(typeof next === 'string' && { older: () => to([...places, next]) }),
    }),
  };
}
