import { fileURLToPath } from 'node:url';

/** A character as the file shows it. Widths are thousandths of the size. */
export interface ShownGlyph {
  readonly code: number;
  readonly text: string;
  readonly width: number;
  readonly font: ShownFont;
}

export interface ShownFont {
  /** Tells it from the other fonts of the file. */
  readonly key: string;
  readonly composite: boolean;
  readonly vertical: boolean;
  readonly bold: boolean;
  /** Characters that the font has although the file may not show them: known of fonts that readers bring along. */
  readonly known: ReadonlyMap<string, { readonly code: number; readonly width: number }>;
}

/** What each operator shows, in the order in which they are drawn. Adjustments of the pen are left out. */
export type ShownText = readonly (readonly ShownGlyph[])[];

/** Reads which characters the codes of a file's fonts stand for. */
export interface GlyphReader extends AsyncDisposable {
  /** @param page from 0 */
  read(page: number): Promise<ShownText>;
}

export async function openGlyphs(bytes: Uint8Array): Promise<GlyphReader> {
  const { getDocument, OPS } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const task = getDocument({
    data: Uint8Array.from(bytes), // the reader takes the bytes away
    disableFontFace: true,
    fontExtraProperties: true, // codes of glyphs come with these only
    maxImageSize: 1, // pictures are not decoded
    useSystemFonts: false,
    verbosity: 0,
    ...{ cMapUrl: folder('cmaps'), cMapPacked: true, standardFontDataUrl: folder('standard_fonts') },
  });
  const document = await task.promise;
  const fonts = new Map<string, ShownFont>();
  return {
    read: async (index) => {
      const page = await document.getPage(index + 1);
      const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: 0 });
      const shown: ShownGlyph[][] = [];
      const faces: (ShownFont | undefined)[] = [];
      let font: ShownFont | undefined;
      for (const [at, name] of fnArray.entries()) {
        if (name === OPS.save || name === OPS.paintFormXObjectBegin) faces.push(font);
        else if (name === OPS.restore || name === OPS.paintFormXObjectEnd) font = faces.pop() ?? font;
        else if (name === OPS.setFont) {
          const key = String(argsArray[at]?.[0]);
          font = fonts.get(key) ?? fontOf(key, page.commonObjs.get(key));
          fonts.set(key, font);
        } else if (name === OPS.showText) shown.push(glyphsOf(argsArray[at]?.[0], font));
      }
      page.cleanup();
      return shown;
    },
    [Symbol.asyncDispose]: () => task.destroy(),
  };
}

function folder(name: string): string {
  return `${fileURLToPath(new URL(`../../${name}/`, import.meta.resolve('pdfjs-dist/legacy/build/pdf.mjs')))}`;
}

function glyphsOf(items: unknown, font: ShownFont | undefined): ShownGlyph[] {
  if (!Array.isArray(items) || font === undefined) return [];
  return items.flatMap((item: unknown): ShownGlyph[] => {
    if (typeof item !== 'object' || item === null) return [];
    const code = Number(Reflect.get(item, 'originalCharCode'));
    const width = Number(Reflect.get(item, 'width')) || 0;
    return [{ code, text: String(Reflect.get(item, 'unicode') ?? '').normalize('NFKC'), width, font }];
  });
}

function fontOf(key: string, data: object): ShownFont {
  const property = (name: string): unknown => Reflect.get(data, name);
  const composite = property('composite') === true;
  return {
    key,
    composite,
    vertical: property('vertical') === true,
    bold: property('bold') === true || /bold|black|heavy|demi/i.test(String(property('name'))),
    known: property('missingFile') === true && !composite ? knownCharacters(data) : new Map(),
  };
}

const WESTERN = new TextDecoder('windows-1252');
/** In the standard encoding these codes are other characters than in ASCII. */
const QUOTES = new Set([0x27, 0x60]);

function knownCharacters(data: object): ShownFont['known'] {
  const [encoding, differences, widths] = ['defaultEncoding', 'differences', 'widths'].map((name) =>
    Object(Reflect.get(data, name)),
  );
  const western = encoding[0xe9] === 'eacute' && encoding[0x80] === 'Euro';
  const known = new Map<string, { code: number; width: number }>();
  for (let code = 0x20; code <= (western ? 0xff : 0x7e); code++) {
    const width = widths[code];
    if (typeof width !== 'number' || differences[code] !== undefined) continue;
    if (!western && QUOTES.has(code)) continue;
    known.set(WESTERN.decode(Uint8Array.of(code)), { code, width });
  }
  return known;
}
