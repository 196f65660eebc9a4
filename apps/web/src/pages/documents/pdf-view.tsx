import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { drawPage, openPdf, type Pdf, type Size, sizeOf } from '../../platform/pdf.ts';
import { useText } from '../../text/index.tsx';
import classes from './pdf-view.module.css';
import { Unviewable } from './unviewable.tsx';

const ZOOMS = [1, 1.5, 2, 3] as const;

/** Told whether the page can show the file: of a PDF, whether it can be opened for drawing. */
export type Shows = (isShown: boolean) => void;

/** Shows a PDF in the page, drawn here. */
export function PdfView({ bytes, name, shown }: { bytes: Uint8Array; name: string; shown?: Shows }) {
  const { t } = useText();
  const { pdf, hasFailed } = usePdf(bytes);
  const place = useRef<HTMLElement>(null);
  const width = useWidth(place);
  const [zoom, setZoom] = useState(0);
  const factor = ZOOMS[zoom] ?? 1;
  useEffect(() => {
    if (hasFailed) shown?.(false);
    else if (pdf !== undefined) shown?.(true);
  }, [hasFailed, pdf, shown]);
  return (
    <Stack gap="sm">
      {pdf !== undefined && (
        <Group justify="space-between" gap="xs">
          <Text size="sm" c="dimmed">
            {t('documents.pages', { count: pdf.pages.numPages })}
          </Text>
          <Group gap={4} role="group" aria-label={t('documents.zoom')}>
            <Button
              variant="default"
              px="sm"
              aria-label={t('documents.zoomOut')}
              disabled={zoom === 0}
              onClick={() => setZoom(zoom - 1)}
            >
              −
            </Button>
            <Text size="sm" className={classes.zoom} aria-live="polite">
              {Math.round(factor * 100)} %
            </Text>
            <Button
              variant="default"
              px="sm"
              aria-label={t('documents.zoomIn')}
              disabled={zoom === ZOOMS.length - 1}
              onClick={() => setZoom(zoom + 1)}
            >
              +
            </Button>
          </Group>
        </Group>
      )}
      {hasFailed && <Unviewable text={t('documents.pdfFailed')} />}
      {/* What is wider than the window is reached by the arrow keys. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section ref={place} className={classes.pages} tabIndex={0} aria-label={name}>
        {pdf === undefined && !hasFailed && <Skeleton h={480} radius={8} />}
        {pdf !== undefined &&
          width > 0 &&
          numbersOf(pdf).map((number) => (
            <Page key={number} pdf={pdf} number={number} width={Math.floor(width * factor)} />
          ))}
      </section>
    </Stack>
  );
}

const numbersOf = ({ pages }: Pdf) => Array.from({ length: pages.numPages }, (_, index) => index + 1);

function usePdf(bytes: Uint8Array): { pdf: Pdf | undefined; hasFailed: boolean } {
  const [pdf, setPdf] = useState<Pdf>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    let opened: Pdf | undefined;
    setPdf(undefined);
    setFailed(false);
    openPdf(bytes).then(
      (read) => {
        if (!isCurrent) return read.close();
        opened = read;
        setPdf(read);
      },
      () => isCurrent && setFailed(true),
    );
    return () => {
      isCurrent = false;
      opened?.close();
    };
  }, [bytes]);
  return { pdf, hasFailed };
}

/** One page, drawn while it is near the window: a long document takes no more memory than a short one. */
function Page({ pdf, number, width }: { pdf: Pdf; number: number; width: number }) {
  const { t } = useText();
  const place = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size>();
  const [hasFailed, setFailed] = useState(false);
  const isNear = useNear(place);
  useEffect(() => {
    let isCurrent = true;
    // Until a page is near, it is taken to be as large as the first one.
    sizeOf(pdf, isNear ? number : 1, width).then(
      (found) => isCurrent && setSize(found),
      () => isCurrent && setFailed(true),
    );
    return () => {
      isCurrent = false;
    };
  }, [pdf, number, width, isNear]);
  useEffect(() => {
    if (!isNear || canvas.current === null || text.current === null) return;
    const { done, stop } = drawPage(pdf, { number, width, canvas: canvas.current, text: text.current });
    setFailed(false);
    done.catch(() => setFailed(true));
    return stop;
  }, [pdf, number, width, isNear]);
  return (
    <section
      ref={place}
      aria-label={t('documents.page', { number, count: pdf.pages.numPages })}
      className={classes.page}
      style={{ width, height: size?.height ?? width * Math.SQRT2 }}
    >
      {isNear && (
        <>
          <canvas ref={canvas} className={classes.canvas} aria-hidden />
          <div ref={text} className={classes.text} />
        </>
      )}
      {hasFailed && (
        <Text size="sm" p="lg" c="dark">
          {t('documents.pageFailed')}
        </Text>
      )}
    </section>
  );
}

/** The width of an element. While it is hidden it keeps the one that it had. */
function useWidth(element: React.RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const { current } = element;
    if (current === null) return;
    const observer = new ResizeObserver(() => current.clientWidth > 0 && setWidth(current.clientWidth));
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

/** Whether an element is in the window, or a window away. */
function useNear(element: React.RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)?.isIntersecting ?? false), {
      rootMargin: '100% 0px',
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isNear;
}
