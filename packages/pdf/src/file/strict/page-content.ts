import { type PDF, PdfArray, PdfDict, PdfName, PdfNumber, type PdfObject, PdfStream } from '@libpdf/core';
import { dictAt, nameAt } from '../objects.ts';
import { box, type Page, resolve } from '../page-tree.ts';
import { Unclear } from '../raw/tokens.ts';
import { ContentReader, type Operand } from './content-reader.ts';
import { ContentDecoder, checkFilters } from './decode.ts';
import type { Inflate } from './inflate.ts';
import { checkPattern, checkPicture, checkShading, checkTransparency } from './paints.ts';

/** Forms in forms: some readers draw no deeper. */
const DEEPEST = 12;
const DEVICE_SPACES = new Set(['DeviceGray', 'G', 'DeviceRGB', 'RGB', 'DeviceCMYK', 'CMYK', 'Pattern']);
const FONTS = new Set(['Type0', 'Type1', 'MMType1', 'TrueType', 'Type3']);
const BLENDS = new Set(
  'Normal Compatible Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight Difference Exclusion Hue Saturation Color Luminosity'.split(
    ' ',
  ),
);

/** Where a name is looked up: the resources of the content itself, or of what it is drawn on. */
interface Scope {
  readonly resources: PdfDict;
  readonly depth: number;
}

/**
 * Reads everything that pages draw, with all that it leads to: forms, patterns, glyphs, masks, and the appearances of annotations. Each
 * must be drawn by every reader, and in the same way, as far as the standard says how.
 */
export class DrawnContent {
  readonly #pdf: PDF;
  readonly #inflate: Inflate;
  readonly #decoder: ContentDecoder;
  /** Streams of content that were read, by the resources that they use. */
  readonly #read = new Map<PdfStream, Set<PdfDict>>();
  readonly #inside = new Set<PdfStream>();
  readonly #seen = new Set<PdfDict>();
  #overprints = false;
  #paintsNoInk = false;
  #transfers = false;

  constructor(pdf: PDF, inflate: Inflate) {
    this.#pdf = pdf;
    this.#inflate = inflate;
    this.#decoder = new ContentDecoder(pdf, inflate);
  }

  /** Whether transfer functions are used, or white that lets what is below it show through in print. */
  get printsOtherwise(): boolean {
    return this.#transfers || (this.#overprints && this.#paintsNoInk);
  }

  /** @throws {Unclear}; {PdfError} expands_too_far */
  page({ dict, lineage }: Page): void {
    checkBoxes(this.#pdf, lineage);
    const resources = this.#inherited(lineage, 'Resources');
    const scope = { resources: resources instanceof PdfDict ? resources : new PdfDict(), depth: 0 };
    const contents = resolve(this.#pdf, dict.get('Contents'));
    if (contents === undefined && dict.has('Contents')) throw new Unclear('The content of a page is missing');
    if (contents === undefined) return;
    const parts = contents instanceof PdfArray ? contents.toArray() : [contents];
    this.#content(
      parts.map((part) => {
        const stream = resolve(this.#pdf, part);
        if (!(stream instanceof PdfStream)) throw new Unclear('A part of the content is missing');
        return stream;
      }),
      scope,
    );
  }

  /** @param resources of what it is drawn on, for a form that has none of its own */
  form(form: PdfStream, { resources, depth }: Scope): void {
    const pdf = this.#pdf;
    if (depth >= DEEPEST) throw new Unclear('Forms nest too deep');
    if (box(pdf, resolve(pdf, form.get('BBox'))) === undefined) throw new Unclear('A form has no box');
    if (form.has('Ref')) throw new Unclear('A form stands for a page of another file');
    this.#own(form, { resources, depth });
  }

  /** Content in a stream, with resources of its own or those around it. */
  #own(stream: PdfStream, { resources, depth }: Scope): void {
    const own = dictAt(this.#pdf, stream, 'Resources');
    const used = own ?? (stream.has('Resources') ? new PdfDict() : resources);
    if (this.#inside.has(stream)) throw new Unclear('A form is drawn on itself');
    const known = this.#read.get(stream) ?? new Set();
    if (known.has(used)) return;
    this.#read.set(stream, known.add(used));
    this.#inside.add(stream);
    this.#content([stream], { resources: used, depth: depth + 1 });
    this.#inside.delete(stream);
  }

  #content(parts: readonly PdfStream[], scope: Scope): void {
    const reader = new ContentReader(
      (operator, operands) => this.#use(operator, operands, scope),
      this.#inflate,
    );
    for (const part of parts) reader.read(this.#decoder.decode(part));
  }

  #use(operator: string, operands: readonly Operand[], scope: Scope): void {
    const name = operands.find(({ kind }) => kind === 'M')?.name;
    if (operator === 'Do') this.#object(this.#found('XObject', name, scope), scope);
    else if (operator === 'Tf') this.#font(this.#found('Font', name, scope), scope);
    else if (operator === 'gs') this.#state(this.#found('ExtGState', name, scope), scope);
    else if (operator === 'sh') checkShading(this.#pdf, this.#found('Shading', name, scope));
    else if (operator === 'k' || operator === 'K')
      this.#paintsNoInk ||= operands.every(({ value }) => value === 0);
    else if (operator === 'cs' || operator === 'CS') {
      if (!DEVICE_SPACES.has(name ?? '')) this.#space(this.#found('ColorSpace', name, scope));
    } else if (operator === 'scn' || operator === 'SCN') {
      if (name !== undefined) this.#pattern(this.#found('Pattern', name, scope), scope);
    } else if (operands[0]?.name === 'OC' && operands[1]?.kind === 'M')
      // A layer must be found; marks of other kinds draw nothing.
      this.#found('Properties', operands[1].name, scope);
  }

  #found(category: string, name: string | undefined, { resources }: Scope): PdfObject {
    const found = resolve(this.#pdf, dictAt(this.#pdf, resources, category)?.get(name ?? ''));
    if (found === undefined) throw new Unclear(`/${name?.slice(0, 40)} is not in the resources`);
    return found;
  }

  #object(object: PdfObject, scope: Scope): void {
    if (!(object instanceof PdfStream)) throw new Unclear('An object that is drawn is missing');
    const subtype = nameAt(this.#pdf, object, 'Subtype');
    if (subtype === 'Form') this.form(object, scope);
    else if (subtype === 'Image') this.#image(object);
    else throw new Unclear(`An object of the kind ${subtype} is drawn`);
  }

  #image(image: PdfStream): void {
    if (this.#seen.has(image)) return;
    this.#seen.add(image);
    checkFilters(this.#pdf, image);
    checkPicture(this.#pdf, image);
    if (image.has('Alternates')) throw new Unclear('A picture has another one for printing');
    const space = resolve(this.#pdf, image.get('ColorSpace'));
    if (space !== undefined) this.#space(space);
    const mask = resolve(this.#pdf, image.get('SMask'));
    if (mask instanceof PdfStream) checkFilters(this.#pdf, mask);
  }

  #font(font: PdfObject, scope: Scope): void {
    if (!(font instanceof PdfDict)) throw new Unclear('A font is missing');
    if (this.#seen.has(font)) return;
    this.#seen.add(font);
    const subtype = nameAt(this.#pdf, font, 'Subtype');
    if (subtype === undefined || !FONTS.has(subtype)) throw new Unclear(`A font has the kind ${subtype}`);
    if (subtype !== 'Type3') return;
    const resources = dictAt(this.#pdf, font, 'Resources') ?? scope.resources;
    for (const [, glyph] of dictAt(this.#pdf, font, 'CharProcs') ?? []) {
      const stream = resolve(this.#pdf, glyph);
      if (stream instanceof PdfStream) this.#own(stream, { resources, depth: scope.depth });
    }
  }

  #state(state: PdfObject, scope: Scope): void {
    const pdf = this.#pdf;
    if (!(state instanceof PdfDict)) throw new Unclear('A graphics state is missing');
    if (this.#seen.has(state)) return;
    this.#seen.add(state);
    if (['OP', 'op'].some((key) => isTrue(resolve(pdf, state.get(key))))) this.#overprints = true;
    if (['TR', 'TR2'].some((key) => changes(resolve(pdf, state.get(key))))) this.#transfers = true;
    const blend = resolve(pdf, state.get('BM'));
    const modes = blend instanceof PdfArray ? blend.toArray() : blend ? [blend] : [];
    for (const each of modes) {
      const mode = resolve(pdf, each);
      if (!(mode instanceof PdfName) || !BLENDS.has(mode.value)) throw new Unclear('A blend mode is unknown');
    }
    const mask = dictAt(pdf, state, 'SMask');
    checkTransparency(pdf, state, mask);
    if (mask === undefined) return;
    const group = resolve(pdf, mask.get('G'));
    if (!(group instanceof PdfStream)) throw new Unclear('A mask is missing');
    if (changes(resolve(pdf, mask.get('TR')))) this.#transfers = true;
    this.form(group, scope);
  }

  #pattern(pattern: PdfObject, scope: Scope): void {
    if (!(pattern instanceof PdfDict)) throw new Unclear('A pattern is missing');
    checkPattern(this.#pdf, pattern);
    if (pattern instanceof PdfStream) this.#own(pattern, scope);
  }

  #space(space: PdfObject): void {
    if (!(space instanceof PdfArray)) return;
    const [family, names] = space.toArray().map((item) => resolve(this.#pdf, item));
    if (!(family instanceof PdfName)) throw new Unclear('A colour space has no name');
    // The standard draws nothing then; pdf.js draws what stands in its place.
    if (family.value === 'Separation' && names instanceof PdfName && names.value === 'None')
      throw new Unclear('An ink is none');
  }

  #inherited(lineage: readonly PdfDict[], key: string): PdfObject | undefined {
    const holder = lineage.find((dict) => dict.has(key));
    const value = resolve(this.#pdf, holder?.get(key));
    if (holder !== undefined && value === undefined) throw new Unclear(`/${key} of a page is missing`);
    return value;
  }
}

/** Whether a transfer function or the like is more than none. */
function changes(value: PdfObject | undefined): boolean {
  return value !== undefined && !(value instanceof PdfName && ['Identity', 'Default'].includes(value.value));
}

function isTrue(value: PdfObject | undefined): boolean {
  return value?.type === 'bool' && value.value;
}

/** What is shown of a page must be there, and stand upright or turned by a quarter. */
function checkBoxes(pdf: PDF, lineage: readonly PdfDict[]): void {
  const found = (key: string) => resolve(pdf, lineage.find((dict) => dict.has(key))?.get(key));
  const media = box(pdf, found('MediaBox'));
  if (media === undefined) throw new Unclear('A page has no box');
  const crop = box(pdf, found('CropBox')) ?? media;
  const width = Math.min(media[2], crop[2]) - Math.max(media[0], crop[0]);
  const height = Math.min(media[3], crop[3]) - Math.max(media[1], crop[1]);
  if (!(width > 0 && height > 0)) throw new Unclear('Nothing of a page is shown');
  const turn = found('Rotate');
  if (turn !== undefined && !(turn instanceof PdfNumber && turn.value % 90 === 0))
    throw new Unclear('A page is turned by an angle that readers do not know');
}
