import type { TemplateTag } from './analysis.ts';
import type { FoundTag, GlyphPlace } from './find-tags.ts';
import { crossing, type Point, type Segment } from './geometry.ts';
import type { ChunkPlan, ImagePlan, PartPlan, ShowItem, ShowPlan } from './plan.ts';
import type { PageText, Show } from './shows.ts';

/** Text on one line ends at a gap of this many times the letters' height, within one operator only at a wider one. */
const [GAP, GAP_WITHIN] = [0.8, 2.5];
/** The distance that is kept from text and from edges, in parts of the letters' height. */
const [BESIDE_TEXT, BESIDE_EDGE] = [0.3, 0.2];
/** Where edges are looked for: about the middle of small letters. */
const MIDDLE = 0.3;
/** Points that stay free at the border of the page. */
const BORDER = 9;
/** Points; an image grows no further down than this. */
const TALLEST = 220;

/** Where a show stands: along its line, and across. */
interface Placed {
  readonly show: Show;
  readonly index: number;
  readonly along: Point;
  readonly start: number;
  readonly across: number;
  /** Points for a length of one in text space, and the height of its letters in points. */
  readonly scale: number;
  readonly height: number;
}

/** A glyph on a line, in points along it. */
interface LineGlyph extends GlyphPlace {
  readonly from: number;
  readonly to: number;
  readonly tag: number | null;
}

export interface PageLayout {
  readonly tags: readonly Omit<TemplateTag, 'page'>[];
  readonly chunks: readonly ChunkPlan[];
  /** With the index of the show. */
  readonly shows: ReadonlyMap<number, ShowPlan>;
}

/** Lays out the tags of a page: what moves with a value, and how far. @param border the four sides of the page */
export function layOut(text: PageText, found: readonly FoundTag[], border: readonly Segment[]): PageLayout {
  return new Layout(text, found, border).lay();
}

class Layout {
  readonly #text: PageText;
  readonly #border: readonly Segment[];
  readonly #found: readonly FoundTag[];
  readonly #placed: readonly Placed[];
  /** The tag of a glyph, by show and glyph. */
  readonly #tagOf = new Map<string, number>();
  readonly #tags: (Omit<TemplateTag, 'page'> | undefined)[] = [];
  readonly #chunks: ChunkPlan[] = [];
  /** Of a glyph in a chunk: the chunk, and the parts before it. Of a tag's first glyph on a line: its part. */
  readonly #slots = new Map<
    string,
    { chunk: number; after: number } | { chunk: number; part: number } | null
  >();

  constructor(text: PageText, found: readonly FoundTag[], border: readonly Segment[]) {
    this.#text = text;
    this.#found = found;
    this.#border = border;
    this.#placed = text.shows.map(place);
    for (const [tag, { glyphs }] of found.entries()) {
      for (const glyph of glyphs) this.#tagOf.set(nameOf(glyph), tag);
    }
  }

  lay(): PageLayout {
    const done = new Set<number>();
    const touched = new Set<number>();
    for (const { glyphs } of this.#found) {
      for (const { show } of glyphs) {
        if (done.has(show)) continue;
        const line = this.#lineOf(show);
        for (const { index } of line) done.add(index);
        for (const index of this.#layLine(line)) touched.add(index);
      }
    }
    const shows = new Map([...touched].map((index) => [index, this.#planShow(index)] as const));
    return { tags: this.#tags.filter((tag) => tag !== undefined), chunks: this.#chunks, shows };
  }

  /** The shows of the same content on the line of this one. */
  #lineOf(index: number): Placed[] {
    const placed = this.#placed[index];
    if (!placed) return [];
    return this.#onLine(placed).filter(({ show }) => show.drawing === placed.show.drawing);
  }

  #onLine(placed: Placed): Placed[] {
    return this.#placed.filter(
      (other) =>
        sameDirection(other, placed) && Math.abs(other.across - placed.across) < 0.25 * placed.height,
    );
  }

  /** @returns the shows with text in a chunk that has tags */
  #layLine(line: readonly Placed[]): number[] {
    const touched = new Set<number>();
    const [first] = line;
    if (!first) return [];
    const height = Math.max(...line.map((placed) => placed.height));
    const edges = this.#crossings(first, height * MIDDLE, this.#text.edges);
    for (const glyphs of this.#chunksOf(line, height, edges)) {
      const parts = partsOf(glyphs);
      if (parts.length === 0) continue;
      const chunk = this.#chunks.length;
      const room = this.#roomOf(glyphs, first, height, edges);
      this.#chunks.push({ parts: parts.map((part) => this.#planPart(part, room)), room });
      for (const [index, part] of parts.entries()) {
        const [head, ...rest] = part.glyphs;
        if (head) this.#slots.set(nameOf(head), { chunk, part: index });
        for (const glyph of rest) this.#slots.set(nameOf(glyph), null);
      }
      for (const glyph of glyphs) {
        touched.add(glyph.show);
        if (glyph.tag !== null) continue;
        const after = parts.filter(({ from }) => from <= glyph.from).length;
        this.#slots.set(nameOf(glyph), { chunk, after });
      }
    }
    return [...touched];
  }

  #chunksOf(line: readonly Placed[], height: number, edges: readonly number[]): LineGlyph[][] {
    const glyphs = line.flatMap((placed) => this.#glyphsOf(placed)).sort((a, b) => a.from - b.from);
    const groups: LineGlyph[][] = [];
    let end = Number.NEGATIVE_INFINITY;
    for (const glyph of glyphs) {
      const before = groups.at(-1)?.at(-1);
      const within = before?.show === glyph.show ? GAP_WITHIN : GAP;
      const sameTag = before !== undefined && before.tag !== null && before.tag === glyph.tag;
      const split =
        glyph.from - end > within * height ||
        edges.some((edge) => edge > end - 0.1 * height && edge < glyph.from + 0.1 * height);
      if (before && (sameTag || !split)) groups.at(-1)?.push(glyph);
      else groups.push([glyph]);
      end = Math.max(end, glyph.to);
    }
    return groups;
  }

  #glyphsOf({ show, index, start, scale }: Placed): LineGlyph[] {
    return show.glyphs.map(({ at, width }, glyph) => ({
      ...{ show: index, glyph, from: start + at * scale, to: start + (at + width) * scale },
      tag: this.#tagOf.get(nameOf({ show: index, glyph })) ?? null,
    }));
  }

  /** How far text may grow: to the next text, the next edge, or the margin. */
  #roomOf(group: readonly LineGlyph[], line: Placed, height: number, edges: readonly number[]): number {
    const end = group.reduce((most, { to }) => Math.max(most, to), Number.NEGATIVE_INFINITY);
    const own = new Set(group.map(nameOf));
    const texts = this.#onLine(line)
      .flatMap((placed) => this.#glyphsOf(placed))
      .filter((glyph) => !own.has(nameOf(glyph)) && glyph.from >= end - 0.1 * height)
      .map(({ from }) => from - BESIDE_TEXT * height);
    const beside = edges
      .filter((edge) => edge >= end - 0.1 * height)
      .map((edge) => edge - BESIDE_EDGE * height);
    const limit = texts.concat(beside).reduce((least, at) => Math.min(least, at), this.#margin(line));
    return Math.max(0, limit - end);
  }

  /** Where text of this direction ends on the page, or would if both margins were the same. */
  #margin(line: Placed): number {
    const sides = this.#crossings(line, 0, this.#border);
    const [near, far] = [Math.min(...sides), Math.max(...sides)];
    if (!Number.isFinite(near) || !Number.isFinite(far)) return Number.POSITIVE_INFINITY;
    const same = this.#placed.filter((placed) => sameDirection(placed, line));
    let [left, right] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const { start, show, scale } of same) {
      left = Math.min(left, start);
      right = Math.max(right, start + show.width * scale);
    }
    return Math.min(Math.max(right, far - Math.max(0, left - near)), far - BORDER);
  }

  /** Where segments cross a line that is lifted by some points, along it, sorted. */
  #crossings(line: Placed, lift: number, segments: readonly Segment[]): number[] {
    const [ux, uy] = line.along;
    const across = line.across + lift;
    const origin: Point = [-uy * across, ux * across];
    return segments
      .map((segment) => crossing(origin, line.along, segment))
      .filter((at) => at !== undefined)
      .sort((a, b) => a - b);
  }

  #planPart(part: Part, room: number): PartPlan {
    const [glyph] = part.glyphs;
    const placed = glyph && this.#placed[glyph.show];
    const tag = this.#found[part.tag];
    if (!placed || !tag) throw new Error('A part of a tag has glyphs');
    const width = part.to - part.from;
    const first = this.#tags[part.tag] === undefined;
    if (!first) return { key: tag.key, width, first, image: null };
    const image = this.#imageAt(placed, part.from, width + room);
    const [x, y] = image.origin;
    const measures = { x, y, font_size: placed.height, width, free_width: width + room };
    this.#tags[part.tag] = { key: tag.key, ...rounded(measures) };
    return { key: tag.key, width, first, image };
  }

  #imageAt(line: Placed, from: number, width: number): ImagePlan {
    const [ux, uy] = line.along;
    const origin: Point = [ux * from - uy * line.across, uy * from + ux * line.across];
    const texts = this.#placed
      .filter((other) => sameDirection(other, line) && other.across < line.across - 0.3 * line.height)
      .filter(({ start, show, scale }) => start < from + width && start + show.width * scale > from)
      .map((other) => line.across - other.across - other.height);
    const middle: Point = [
      origin[0] + (ux * Math.min(width, 20)) / 2,
      origin[1] + (uy * Math.min(width, 20)) / 2,
    ];
    const edges = [...this.#text.edges, ...this.#border]
      .map((segment) => crossing(middle, [uy, -ux], segment))
      .filter((at) => at !== undefined && at > 0) as number[];
    const below = Math.max(0, Math.min(TALLEST, ...texts, ...edges.map((at) => at - 2)));
    return { origin, along: line.along, up: [-uy, ux], above: line.height * 0.8, below };
  }

  #planShow(index: number): ShowPlan {
    const placed = this.#placed[index];
    if (!placed) throw new Error('A show has a place');
    const { show, scale } = placed;
    const { operator, lead, resource, font, size, spacing, wordSpacing, stretch, width } = show;
    const items: ShowItem[] = [];
    for (const [glyph, { at, code, width }] of show.glyphs.entries()) {
      const slot = this.#slots.get(nameOf({ show: index, glyph }));
      if (slot === null) continue;
      if (slot && 'part' in slot) {
        items.push({ at, ...slot });
        continue;
      }
      const { chunk, after } = slot ?? { chunk: null, after: 0 };
      const before = items.at(-1);
      if (
        before &&
        'codes' in before &&
        before.chunk === chunk &&
        before.after === after &&
        joins(before, at)
      ) {
        items[items.length - 1] = { ...before, codes: before.codes + code, width: before.width + width };
      } else items.push({ at, codes: code, width, chunk, after });
    }
    return {
      ...{ start: operator.start, end: operator.end, lead, resource, font: font.key, size, spacing },
      ...{ wordSpacing, stretch, scale, width, items },
    };
  }
}

interface Part {
  readonly tag: number;
  readonly glyphs: readonly LineGlyph[];
  readonly from: number;
  readonly to: number;
}

/** The tags of a chunk, or what stands of them on its line. */
function partsOf(glyphs: readonly LineGlyph[]): Part[] {
  const tags = Map.groupBy(
    glyphs.filter((glyph) => glyph.tag !== null),
    ({ tag }) => tag ?? 0,
  );
  return [...tags].map(([tag, own]) => ({
    ...{ tag, glyphs: own, from: own[0]?.from ?? 0 },
    to: Math.max(...own.map(({ to }) => to)),
  }));
}

function place(show: Show, index: number): Placed {
  const [a, b, c, d, e, f] = show.matrix;
  const scale = Math.hypot(a, b) || 1;
  const [ux, uy] = [a / scale, b / scale];
  const height = Math.abs(show.size) * Math.hypot(c, d);
  return {
    ...{ show, index, scale, height },
    along: [ux, uy],
    start: e * ux + f * uy,
    across: f * ux - e * uy,
  };
}

function sameDirection(one: Placed, other: Placed): boolean {
  return one.along[0] * other.along[0] + one.along[1] * other.along[1] > 0.9999;
}

/** Whether the pen was not moved between. */
function joins(item: { at: number; width: number }, at: number): boolean {
  return Math.abs(item.at + item.width - at) < 1e-6;
}

function nameOf({ show, glyph }: GlyphPlace): string {
  return `${show} ${glyph}`;
}

function rounded<T extends Record<string, number>>(measures: T): T {
  const entries = Object.entries(measures).map(([name, value]) => [name, Math.round(value * 100) / 100]);
  return Object.fromEntries(entries);
}
