import { type ReactNode, useEffect, useRef, useState } from 'react';

/** Rows that are drawn at first, and more of them each time. */
const STEP = 50;
/** How near the end of what is drawn comes before more is, as a margin around what is in sight. */
const NEAR = '1200px';

/**
 * The beginning of a long list, of which more is drawn as one comes near its end: the browser lays out a few rows, not thousands.
 * @param of what they are: other rows begin at their first ones again, and the same ones stay as far as they were drawn
 * @returns the rows to draw, and what to put behind them
 */
export function useGrowing<Row>(rows: readonly Row[], of: string): { drawn: readonly Row[]; end: ReactNode } {
  const [grown, setGrown] = useState({ of, count: STEP });
  const most = grown.of === of ? grown.count : STEP;
  const hasMore = most < rows.length;
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!hasMore || end.current === null) return;
    const near = new IntersectionObserver(
      ([seen]) => {
        if (seen?.isIntersecting) setGrown({ of, count: most + STEP });
      },
      { rootMargin: NEAR },
    );
    near.observe(end.current);
    return () => near.disconnect();
  }, [of, most, hasMore]);
  return { drawn: rows.slice(0, most), end: hasMore ? <div ref={end} /> : null };
}
