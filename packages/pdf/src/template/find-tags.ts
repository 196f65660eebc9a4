import type { Show } from './shows.ts';

/** A glyph of a show, by their places in the lists. */
export interface GlyphPlace {
  readonly show: number;
  readonly glyph: number;
}

export interface FoundTag {
  readonly key: string;
  readonly glyphs: readonly GlyphPlace[];
}

/** A tag as texts of flows have it (wire 13.6). */
export const TAG = /\{\{\s*([a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*){0,2})\s*\}\}/gi;

/** The tags of the shows, in the order of the content; one can be split over any number of operators. */
export function findTags(shows: readonly Show[]): FoundTag[] {
  const drawings = Map.groupBy(shows.entries(), ([, show]) => show.drawing);
  return [...drawings.values()].flatMap((drawn) => {
    const places: GlyphPlace[] = [];
    let text = '';
    for (const [show, { glyphs }] of drawn) {
      for (const [glyph, { text: characters }] of glyphs.entries()) {
        text += characters;
        for (let unit = 0; unit < characters.length; unit++) places.push({ show, glyph });
      }
    }
    return [...text.matchAll(TAG)].map(({ 0: whole, 1: key = '', index }) => ({
      key: key.toLowerCase(),
      glyphs: [...new Set(places.slice(index, index + whole.length))],
    }));
  });
}
