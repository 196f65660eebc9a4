import { Button, Group, Text } from '@mantine/core';
import { useInsideText } from '../../text/inside/index.tsx';
import classes from './pdf-view.module.css';

/** Where the pages lead: to an act below them. */
export interface End {
  readonly label: string;
  /** Of the element. */
  readonly id: string;
}

type Props = {
  page: number;
  pages: number;
  /** How many places there are, and which one was gone to last. */
  places: number;
  place: number;
  next: () => void;
  end: End | undefined;
  zoom: { percent: number; smaller: (() => void) | undefined; larger: (() => void) | undefined };
};

/** Under the thumb while one reads: which page it is, its size, the next place, and the act at the end. */
export function PdfBar({ page, pages, places, place, next, end, zoom }: Props) {
  const { t } = useInsideText();
  return (
    <div className={classes.bar}>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm" c="dimmed">
          {t('documents.page', { number: page, count: pages })}
        </Text>
        <Group gap={4} wrap="nowrap" role="group" aria-label={t('documents.zoom')}>
          <Button
            variant="default"
            px="sm"
            aria-label={t('documents.zoomOut')}
            disabled={zoom.smaller === undefined}
            onClick={zoom.smaller}
          >
            −
          </Button>
          <Text size="sm" className={classes.zoom} aria-live="polite">
            {zoom.percent} %
          </Text>
          <Button
            variant="default"
            px="sm"
            aria-label={t('documents.zoomIn')}
            disabled={zoom.larger === undefined}
            onClick={zoom.larger}
          >
            +
          </Button>
        </Group>
      </Group>
      {(places > 0 || end !== undefined) && (
        <Group gap="xs" grow>
          {places > 0 && (
            <Button variant="default" onClick={next}>
              {t('documents.place', { number: (place % places) + 1, count: places })}
            </Button>
          )}
          {end !== undefined && <Button onClick={() => goToEnd(end.id)}>{end.label}</Button>}
        </Group>
      )}
    </div>
  );
}

/** The first thing that the act asks for gets the focus, as with a link that leads there. */
function goToEnd(id: string): void {
  const act = document.getElementById(id);
  act?.scrollIntoView({ block: 'start' });
  act?.querySelector<HTMLElement>('input, button')?.focus({ preventScroll: true });
}
