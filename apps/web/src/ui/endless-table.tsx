import { useWindowEvent } from '@mantine/hooks';
import {
  type CSSProperties,
  type FocusEvent,
  Fragment,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import classes from './table.module.css';
import { Cells, type Column, Head } from './table.tsx';

/** Where one is in a table: its first row in sight, and how far it is scrolled, in pixels. */
export interface Place {
  readonly id: string;
  readonly top: number;
}

/** The rows in sight, by their numbers from 0. */
interface Seen {
  readonly first: number;
  readonly last: number;
}

/** Rows that are drawn above and below those in sight. */
const BEYOND = 10;
/** Rows in sight, until that is known. */
const FIRST = 20;

/**
 * Rows of one kind, each on one line, of which more are loaded as one comes near their end. Only those around what is in sight are drawn. It
 * is one stop of the keyboard: arrows go from row to row, and the row with the focus stays while it is out of sight.
 */
export function EndlessTable<Row>(props: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Loads the rows that follow; undefined where none do. */
  more: (() => void) | undefined;
  /** They are being loaded, or could not be. */
  isHeld: boolean;
  /** Where it begins. */
  from: Place;
  /** Takes note of where one is. */
  keep: (place: Place) => void;
}) {
  const { label, columns, rows, keyOf, more, isHeld, from, keep } = props;
  // Scrolling draws the table again: what it costs then is not to grow with its rows.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows of a list are named in one way
  const ids = useMemo(() => rows.map(keyOf), [rows]);
  const frame = useRef<HTMLElement>(null);
  const place = useRef(from);
  const [seen, setSeen] = useState<Seen>(() => {
    const first = Math.max(0, ids.indexOf(from.id));
    return { first, last: first + FIRST };
  });
  const look = () => {
    if (frame.current === null) return;
    const now = seenIn(frame.current);
    place.current = { id: ids[now.first] ?? '', top: frame.current.scrollTop };
    keep(place.current);
    setSeen((was) => (was.first === now.first && was.last === now.last ? was : now));
  };
  useWindowEvent('resize', look);
  // What is in sight stays there when rows come or go above it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other rows change where the one in sight stands
  useLayoutEffect(() => {
    const { id, top } = place.current;
    const index = ids.indexOf(id);
    if (frame.current !== null && top > 0) {
      const height = heightIn(frame.current);
      frame.current.scrollTop = index === -1 ? top : index * height + (top % height);
    }
    look();
  }, [rows]);
  useEffect(() => {
    if (seen.last + BEYOND >= rows.length && !isHeld) more?.();
  });
  const { stop, ...keyboard } = useOneStop(frame, ids, seen);
  return (
    <section
      ref={frame}
      className={`${classes.frame} ${classes.endless}`}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by the keyboard
      tabIndex={0}
      onScroll={look}
    >
      <table
        className={classes.table}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: arrows go through its rows
        role="grid"
        aria-label={label}
        aria-rowcount={more === undefined ? rows.length + 1 : -1}
        {...keyboard}
      >
        <Head columns={columns} />
        <tbody>
          {drawnOf(rows, seen, stop).map(({ row, index, skipped }) => (
            <Fragment key={keyOf(row)}>
              <Gap rows={skipped} />
              <tr aria-rowindex={index + 2}>
                <Cells columns={columns} row={row} tabIndex={index === stop ? 0 : -1} />
              </tr>
            </Fragment>
          ))}
          <Gap rows={rows.length - 1 - Math.max(stop, lastDrawn(rows, seen))} />
        </tbody>
      </table>
    </section>
  );
}

const lastDrawn = (rows: readonly unknown[], { last }: Seen) => Math.min(last + BEYOND, rows.length - 1);

/** The rows that are drawn, each with how many are left out before it. */
function drawnOf<Row>(rows: readonly Row[], seen: Seen, stop: number) {
  const first = Math.max(0, seen.first - BEYOND);
  const last = lastDrawn(rows, seen);
  const near = Array.from({ length: Math.max(0, last - first + 1) }, (_, place) => first + place);
  const drawn = [...(stop < first ? [stop] : []), ...near, ...(stop > last ? [stop] : [])];
  return drawn.flatMap((index, place) => {
    const row = rows[index];
    return row === undefined ? [] : [{ row, index, skipped: index - (drawn[place - 1] ?? -1) - 1 }];
  });
}

/** The room of rows that are not drawn. */
function Gap({ rows }: { rows: number }) {
  if (rows <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus
    <tr className={classes.gap} aria-hidden="true">
      <td style={{ '--rows': rows } as CSSProperties} />
    </tr>
  );
}

/** The height of every row, in pixels. */
const heightIn = (frame: HTMLElement): number =>
  frame.querySelector('tr[aria-rowindex]')?.getBoundingClientRect().height || 48;

function seenIn(frame: HTMLElement): Seen {
  const height = heightIn(frame);
  const { scrollTop, clientHeight } = frame;
  return { first: Math.floor(scrollTop / height), last: Math.ceil((scrollTop + clientHeight) / height) };
}

/** Where Tab leads to in a table: the row that had the focus last, else the first in sight. Keys go on from there. */
function useOneStop(frame: RefObject<HTMLElement | null>, ids: readonly string[], seen: Seen) {
  const [chosen, setChosen] = useState<string>();
  const found = useMemo(() => (chosen === undefined ? -1 : ids.indexOf(chosen)), [ids, chosen]);
  const stop = found === -1 ? Math.min(seen.first, ids.length - 1) : found;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus goes when another row is chosen
  useLayoutEffect(() => {
    const row = frame.current?.querySelector(`tr[aria-rowindex="${found + 2}"]`);
    if (row && !row.contains(document.activeElement)) row.querySelector<HTMLElement>('a, button')?.focus();
  }, [chosen]);
  return {
    stop,
    onFocus: ({ target }: FocusEvent) =>
      setChosen(ids[Number(target.closest('tr')?.getAttribute('aria-rowindex') ?? 0) - 2] ?? chosen),
    onKeyDown: (event: KeyboardEvent) => {
      const page = Math.max(1, seen.last - seen.first - 2);
      const to = {
        ArrowDown: stop + 1,
        ArrowUp: stop - 1,
        PageDown: stop + page,
        PageUp: stop - page,
        Home: 0,
        End: ids.length - 1,
      }[event.key];
      if (to === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      event.preventDefault();
      setChosen(ids[Math.min(Math.max(0, to), ids.length - 1)]);
    },
  };
}
