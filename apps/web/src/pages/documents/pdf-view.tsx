import { Skeleton, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { drawPage, openPdf, type Pdf, type Place, placesOf, type Size, sizeOf } from '../../platform/pdf.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { type End, PdfBar } from './pdf-bar.tsx';
import classes from './pdf-view.module.css';
import { Unviewable } from './unviewable.tsx';

const ZOOMS = [1, 1.5, 2, 3] as const;

/** Called with whether the page can show the file: of a PDF, whether it can be opened for drawing. */
export type Shows = (isShown: boolean) => void;

/** Shows a PDF in the page, drawn here. */
export function PdfView(props: { bytes: Uint8Array; name: string; shown?: Shows; end?: End | undefined }) {
  const { bytes, name, shown, end } = props;
  const { t } = useInsideText();
  const { pdf, hasFailed } = usePdf(bytes);
  const place = useRef<HTMLElement>(null);
  const width = useWidth(place);
  const [zoom, setZoom] = useState(0);
  const factor = ZOOMS[zoom] ?? 1;
  const [here, setHere] = useState(1);
  const places = usePlaces(pdf);
  const [gone, setGone] = useState(0);
  const next = () => {
    const wanted = places[gone % places.length];
    const page = wanted && place.current?.querySelector<HTMLElement>(`[data-page="${wanted.page}"]`);
    if (wanted === undefined || !page) return;
    const { top, height } = page.getBoundingClientRect();
    scrollBy({ top: top + height * wanted.top - innerHeight / 3 });
    // A screen reader goes on from there.
    page.focus({ preventScroll: true });
    setGone((gone % places.length) + 1);
  };
  useEffect(() => {
    if (hasFailed) shown?.(false);
    else if (pdf !== undefined) shown?.(true);
  }, [hasFailed, pdf, shown]);
  return (
    <Stack gap="sm">
      {hasFailed && <Unviewable text={t('documents.pdfFailed')} />}
      {/* What is wider than the window is reached by the arrow keys. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section ref={place} className={classes.pages} tabIndex={0} aria-label={name}>
        {pdf === undefined && !hasFailed && <Skeleton h={480} radius={8} />}
        {pdf !== undefined &&
          width > 0 &&
          numbersOf(pdf).map((number) => (
            <Page
              key={number}
              pdf={pdf}
              number={number}
              width={Math.floor(width * factor)}
              isHere={() => setHere(number)}
            />
          ))}
      </section>
      {pdf !== undefined && (
        <PdfBar
          page={here}
          pages={pdf.pages.numPages}
          places={places.length}
          place={gone}
          next={next}
          end={end}
          zoom={{
            percent: Math.round(factor * 100),
            smaller: zoom > 0 ? () => setZoom(zoom - 1) : undefined,
            larger: zoom < ZOOMS.length - 1 ? () => setZoom(zoom + 1) : undefined,
          }}
        />
      )}
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

const NOWHERE: readonly Place[] = [];

function usePlaces(pdf: Pdf | undefined): readonly Place[] {
  const [places, setPlaces] = useState(NOWHERE);
  useEffect(() => {
    let isCurrent = true;
    setPlaces(NOWHERE);
    if (pdf !== undefined)
      placesOf(pdf).then(
        (found) => isCurrent && setPlaces(found),
        // A file whose form cannot be read is read page by page.
        () => undefined,
      );
    return () => {
      isCurrent = false;
    };
  }, [pdf]);
  return places;
}

/** One page, drawn while it is near the window: a long document takes no more memory than a short one. */
function Page(props: { pdf: Pdf; number: number; width: number; isHere: () => void }) {
  const { pdf, number, width, isHere } = props;
  const { t } = useInsideText();
  const place = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size>();
  const [hasFailed, setFailed] = useState(false);
  const isNear = useInWindow(place, '100% 0px');
  const isInMiddle = useInWindow(place, '-50% 0px');
  // biome-ignore lint/correctness/useExhaustiveDependencies: it says so once each time
  useEffect(() => {
    if (isInMiddle) isHere();
  }, [isInMiddle]);
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
      data-page={number}
      tabIndex={-1}
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

/** Whether an element is in the window, with this much around it. */
function useInWindow(element: React.RefObject<HTMLElement | null>, rootMargin: string): boolean {
  const [isIn, setIn] = useState(false);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new IntersectionObserver((entries) => setIn(entries.at(-1)?.isIntersecting ?? false), {
      rootMargin,
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, rootMargin]);
  return isIn;
}
