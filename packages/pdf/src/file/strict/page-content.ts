import { type PDF, PdfArray, PdfDict, PdfName, type PdfObject, PdfStream } from '@libpdf/core';
import { PdfError } from '../../errors.ts';
import { latin1Of } from '../../latin1.ts';
import { dictAt, isPlain, isTrue, nameAt, numbersAt } from '../objects.ts';
import { box, type Page, resolve } from '../page-tree.ts';
import { Unclear } from '../raw/tokens.ts';
import { checkBoxes } from './boxes.ts';
import { glyphsOf } from './cid-fonts.ts';
import { ColourSpaces, DEVICE_SPACES, GRAY, SHORT_SPACES, type Space } from './colour-spaces.ts';
import { Colours, type PatternUse, printOfDots } from './colours.ts';
import { ContentReader, type Operand } from './content-reader.ts';
import { ContentDecoder } from './decode.ts';
import type { Path } from './extent.ts';
import { checkFont, comparedCodes, widthsOf } from './fonts.ts';
import { GlyphReach, scaleOf } from './glyph.ts';
import type { Inflate } from './inflate.ts';
import { checkLayer, hidesLayers } from './layers.ts';
import { PAINTS, SHOWS_TEXT, STENCIL } from './operators.ts';
import { overprintOf, PaintedInks } from './overprint.ts';
import { checkLines, checkMatrix, linesOf, Paints } from './paints.ts';
import { Pictures } from './pictures.ts';
import { scaled } from './scale.ts';
import { checkShown } from './shown-text.ts';
import { type FontUse, PLAIN_FONT, State } from './state.ts';
import { changes, checkOpaque, checkTransparency, isKnockout, maskGroup } from './transparency.ts';

/** Forms in forms: some readers draw no deeper. */
const DEEPEST = 12;
/** Operators that change the colours, by the side that they paint: others than those that name a space. */
const COLOURS = new Map<string, readonly ['fill' | 'stroke', string]>([
  ['g', ['fill', 'DeviceGray']],
  ['rg', ['fill', 'DeviceRGB']],
  ['k', ['fill', 'DeviceCMYK']],
  ['G', ['stroke', 'DeviceGray']],
  ['RG', ['stroke', 'DeviceRGB']],
  ['K', ['stroke', 'DeviceCMYK']],
]);
/** The others. */
const NAMED_COLOURS: ReadonlySet<string> = new Set('cs CS sc scn SC SCN'.split(' '));

/** Where a name is looked up: the resources of the content itself, or of what it is drawn on. */
interface Scope {
  readonly resources: PdfDict;
  readonly depth: number;
  /** Of the content that is read. */
  readonly colours?: Colours;
  /** What a glyph draws, where it is one. */
  readonly glyph?: GlyphReach;
  /** The strings of the operator at hand. */
  readonly shown?: () => readonly Uint8Array[];
  /** Whether it is drawn in the one colour of a pattern: some readers take others all the same. */
  readonly isUncoloured?: boolean;
  /** Whether it is drawn in a pattern or a glyph, of which readers keep a picture. */
  readonly isCell?: boolean;
  /** Whether it is in a group whose parts do not shine through each other. */
  readonly isKnockout?: boolean;
  /** How its text and lines are set. */
  readonly state?: State;
}

/** With what the content begins with. */
type Opened = Scope & Required<Pick<Scope, 'colours' | 'state'>>;

/** Content that saves and marks, and draws nothing. */
const NOTHING = /^(?:[\0\t\n\f\r ]+|\/Tx BMC\b|EMC\b|q\b|Q\b)*$/;

/**
 * Reads everything that pages draw, with all that it leads to: forms, patterns, glyphs, masks, and the appearances of annotations. Each
 * must be drawn by every reader, and in the same way, as far as the standard says how.
 */
export class DrawnContent {
  readonly #pdf: PDF;
  readonly #inflate: Inflate;
  readonly #decoder: ContentDecoder;
  /** Streams of content that were read, by the resources that they use; by what they begin with, each by itself. */
  readonly #read = new Map<string, Map<PdfStream, Set<PdfDict>>>();
  /** How deep forms nest below content that was read. */
  readonly #heights = new Map<PdfStream, number>();
  #deepest = 0;
  readonly #inside = new Set<PdfStream>();
  readonly #seen = new Set<PdfDict>();
  readonly #fonts = new Map<PdfObject, FontUse>();
  /** The sides that glyphs and patterns paint in a colour from around them. */
  readonly #taken = new Map<PdfStream, ReadonlySet<'fill' | 'stroke'>>();
  readonly #spaces: ColourSpaces;
  readonly #pictures: Pictures;
  readonly #paints: Paints;
  readonly #hidesLayers: boolean;
  readonly #inks = new PaintedInks();
  /** Whether transfer functions are used. */
  printsOtherwise = false;
  /** Whether text is drawn in another way than at the beginning, and text in a pattern in none that it tells. */
  #setsText = false;
  #hasOpenText = false;

  constructor(pdf: PDF, inflate: Inflate) {
    this.#pdf = pdf;
    this.#inflate = inflate;
    this.#hidesLayers = hidesLayers(pdf);
    this.#decoder = new ContentDecoder(pdf, inflate);
    const unpack = (stream: PdfStream) => this.#decoder.decode(stream);
    this.#spaces = new ColourSpaces(pdf, unpack);
    this.#pictures = new Pictures(pdf, this.#spaces, this.#decoder);
    this.#paints = new Paints(pdf, this.#spaces, unpack);
  }

  /** @throws {Unclear}; {PdfError} expands_too_far */
  page({ dict, lineage }: Page): void {
    checkBoxes(this.#pdf, lineage);
    const resources = this.#inherited(lineage, 'Resources');
    const scope = {
      ...{ resources: isPlain(resources) ? resources : new PdfDict(), depth: 0 },
      ...{ colours: Colours.ofPage(), state: new State(), isKnockout: isKnockout(this.#pdf, dict) },
    };
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

  /** Whether nothing is drawn by the content of a form. */
  isEmpty(form: PdfStream): boolean {
    return NOTHING.test(latin1Of(this.#decoder.decode(form)));
  }

  /** @param resources of what it is drawn on, for a form that has none of its own */
  form(form: PdfStream, scope: Scope): void {
    const pdf = this.#pdf;
    if (scope.depth >= DEEPEST) throw new Unclear('Forms nest too deep');
    if (box(pdf, resolve(pdf, form.get('BBox'))) === undefined) throw new Unclear('A form has no box');
    checkMatrix(pdf, form);
    if (form.has('Ref')) throw new Unclear('A form stands for a page of another file');
    const { colours = Colours.ofCell(true), state = new State() } = scope;
    this.#own(form, {
      ...scope,
      ...{ colours: colours.ofForm(), state: state.ofForm(numbersAt(pdf, form, 'Matrix') ?? []) },
      isKnockout: scope.isKnockout === true || isKnockout(pdf, form),
    });
  }

  /** Content in a stream, with resources of its own or those around it, and with the colours and the state that it begins with. */
  #own(stream: PdfStream, scope: Opened): void {
    const { resources, depth, colours, state, isUncoloured = false, isCell = false } = scope;
    const own = dictAt(this.#pdf, stream, 'Resources');
    const used = own ?? (stream.has('Resources') ? new PdfDict() : resources);
    if (this.#inside.has(stream)) throw new Unclear('A form is drawn on itself');
    const way = [isUncoloured, isCell, scope.isKnockout === true, colours.key, state.key].join();
    const read = this.#read.get(way) ?? new Map<PdfStream, Set<PdfDict>>();
    this.#read.set(way, read);
    const known = read.get(stream) ?? new Set();
    if (known.has(used)) {
      this.#deepest = Math.max(this.#deepest, depth + (this.#heights.get(stream) ?? 0));
      if (this.#deepest > DEEPEST) throw new Unclear('Forms nest too deep');
      return;
    }
    const before = this.#deepest;
    this.#deepest = depth + 1;
    read.set(stream, known.add(used));
    this.#inside.add(stream);
    this.#content([stream], { ...scope, resources: used, depth: depth + 1 });
    this.#inside.delete(stream);
    this.#heights.set(stream, Math.max(this.#heights.get(stream) ?? 0, this.#deepest - depth));
    this.#deepest = Math.max(before, this.#deepest);
  }

  #content(parts: readonly PdfStream[], scope: Scope): void {
    this.#spaces.checkDefaults(dictAt(this.#pdf, scope.resources, 'ColorSpace'));
    const inside = { ...scope, shown: () => reader.shown() };
    const reader = new ContentReader(
      (operator, operands, path) => this.#use(operator, operands, path, inside),
      // What pictures in the content expand to counts as content.
      { inflate: this.#inflate, spend: (bytes) => this.#decoder.spend(bytes) },
      {
        ...{ isGlyph: scope.glyph !== undefined, hidesLayers: this.#hidesLayers },
        mode: scope.state?.mode ?? 0,
      },
    );
    try {
      for (const part of parts) reader.read(this.#decoder.decode(part));
    } catch (cause) {
      if (cause instanceof RangeError) throw new PdfError('expands_too_far', { cause });
      throw cause;
    }
    reader.end();
  }

  #use(operator: string, operands: readonly Operand[], path: Path, scope: Scope): void {
    scope.glyph?.see(operator, operands);
    scope.state?.see(operator, operands, path);
    if (operator === 'Tr' && operands[0]?.value !== 0) {
      this.#setsText = true;
      this.#checkOpenText();
    }
    if (PAINTS.has(operator)) {
      this.#paint(operator, scope);
      return;
    }
    const name = operands[0]?.name;
    switch (operator) {
      case 'Do':
        this.#object(this.#found('XObject', name, scope), scope);
        break;
      case 'Tf':
        this.#font(this.#found('Font', name, scope), operands[1]?.value ?? 0, scope);
        break;
      case 'gs':
        this.#state(this.#found('ExtGState', name, scope), scope);
        break;
      case 'sh':
        checkOneColour(scope);
        this.#inks.dots(this.#paints.painted(this.#found('Shading', name, scope)), scope.state);
        break;
      case 'BI':
        scope.state?.checkPicture();
        if (operands.length === 0) this.#paint(STENCIL, scope);
        else this.#inlineColours(operands, scope);
        break;
      case 'BDC':
        // A layer must be found; marks of other kinds draw nothing.
        if (operands[0]?.name === 'OC' && operands[1]?.kind === 'M')
          this.#layer(this.#found('Properties', operands[1].name, scope), scope);
        break;
      default:
        this.#colour(operator, operands, scope);
    }
  }

  #paint(operator: string, scope: Scope): void {
    const { colours, state } = scope;
    colours?.paint(operator);
    if (SHOWS_TEXT.has(operator)) checkShown(scope);
    if (colours) this.#inks.paint(operator, colours, state);
  }

  #colour(operator: string, operands: readonly Operand[], scope: Scope): void {
    const { colours = Colours.ofCell(true) } = scope;
    const name = operands.at(-1)?.name;
    const device = COLOURS.get(operator);
    if (device || NAMED_COLOURS.has(operator)) checkOneColour(scope);
    if (device) colours.setSpace(device[0], this.#spaces.read(PdfName.of(device[1])), operands);
    else if (operator === 'q') colours.save();
    else if (operator === 'Q') colours.restore();
    else if (operator === 'cs' || operator === 'CS')
      colours.setSpace(operator === 'cs' ? 'fill' : 'stroke', this.#named(name ?? '', scope));
    else if (NAMED_COLOURS.has(operator)) {
      const side = operator.startsWith('s') ? 'fill' : 'stroke';
      if (name === undefined) colours.setColour(side, operands);
      else colours.setPattern(side, operands, this.#pattern(this.#found('Pattern', name, scope), scope));
    }
  }

  #named(name: string, scope: Scope): Space {
    // Some readers ask the resources for the short names of inline images, others never.
    if (SHORT_SPACES.has(name)) throw new Unclear(`/${name} is no colour space here`);
    return DEVICE_SPACES.get(name) ?? this.#spaces.read(this.#found('ColorSpace', name, scope));
  }

  /** A name, or a table: its name, what its colours are, the last of them and the colours (ISO 32000-2, 8.9.7). */
  #inlineColours([space, base]: readonly Operand[], scope: Scope): void {
    checkOneColour(scope);
    const isTable = space?.name === 'I' || space?.name === 'Indexed';
    if (isTable && base === undefined) throw new Unclear('A table of colours is malformed');
    const name = isTable ? base?.name : space?.name;
    if (dictAt(this.#pdf, scope.resources, 'ColorSpace')?.has(name ?? '') && SHORT_SPACES.has(name ?? ''))
      throw new Unclear(`/${name} names a colour space twice`);
    const known = name === undefined ? GRAY : DEVICE_SPACES.get(name);
    this.#inks.dots(known ?? this.#named(name ?? '', scope), scope.state);
  }

  #found(category: string, name: string | undefined, { resources }: Scope): PdfObject {
    const found = resolve(this.#pdf, dictAt(this.#pdf, resources, category)?.get(name ?? ''));
    if (found === undefined) throw new Unclear(`/${name?.slice(0, 40)} is not in the resources`);
    return found;
  }

  #object(object: PdfObject, scope: Scope): void {
    if (!(object instanceof PdfStream)) throw new Unclear('An object that is drawn is missing');
    const subtype = nameAt(this.#pdf, object, 'Subtype');
    if (object.has('OC')) this.#layer(resolve(this.#pdf, object.get('OC')), scope);
    if (subtype === 'Form') {
      scope.glyph?.seeForm();
      this.form(object, scope);
    } else if (subtype === 'Image') {
      this.#pictures.check(object);
      scope.state?.checkPicture();
      if (scope.isKnockout && object.has('SMask')) checkOpaque(this.#pdf, object);
      if (isTrue(resolve(this.#pdf, object.get('ImageMask')))) this.#paint(STENCIL, scope);
      else {
        checkOneColour(scope);
        const space = object.get('ColorSpace');
        this.#inks.dots(space === undefined ? GRAY : this.#spaces.read(space), scope.state);
      }
    } else throw new Unclear(`An object of the kind ${subtype} is drawn`);
  }

  #layer(layer: PdfObject | undefined, { isCell = false }: Scope): void {
    checkLayer(this.#pdf, layer);
    if (isCell && this.#hidesLayers)
      throw new Unclear('A layer is in a pattern or a glyph, and some are hidden');
  }

  #font(font: PdfObject, size: number, scope: Scope): void {
    if (!isPlain(font)) throw new Unclear('A font is missing');
    if (!this.#seen.has(font)) this.#checkFont(font, scope);
    scope.state?.setFont(this.#fonts.get(font) ?? PLAIN_FONT, size);
  }

  #checkFont(font: PdfDict, scope: Scope): void {
    this.#seen.add(font);
    const unpack = (stream: PdfStream) => this.#decoder.decode(stream);
    checkFont(this.#pdf, font, unpack);
    const [glyphs, codes] = [glyphsOf(this.#pdf, font, unpack), comparedCodes(this.#pdf, font)];
    this.#fonts.set(font, {
      ...PLAIN_FONT,
      ...(glyphs !== undefined && { glyphs }),
      ...(codes && { codes }),
    });
    if (nameAt(this.#pdf, font, 'Subtype') !== 'Type3') return;
    const taken = new Set<string>();
    const scale = scaleOf(this.#pdf, font);
    // Some readers look up its names where it is used, others nowhere: a font without resources may use none.
    const resources = dictAt(this.#pdf, font, 'Resources') ?? new PdfDict();
    const widths = widthsOf(this.#pdf, font);
    for (const [name, glyph] of dictAt(this.#pdf, font, 'CharProcs') ?? []) {
      const stream = resolve(this.#pdf, glyph);
      if (!(stream instanceof PdfStream)) continue;
      const its = this.#ownTaken(stream, {
        ...{ resources, depth: scope.depth, isCell: true, colours: Colours.ofCell() },
        ...{ state: new State([scale, 1]), glyph: new GlyphReach(scale, widths.get(name.value)) },
      });
      for (const side of its) taken.add(side);
    }
    this.#fonts.set(font, { isContent: true, takesLineColour: taken.has('stroke') });
  }

  #state(state: PdfObject, scope: Scope): void {
    const pdf = this.#pdf;
    if (!isPlain(state)) throw new Unclear('A graphics state is missing');
    // Some readers pass it over, and go on with the font before.
    if (state.has('Font')) throw new Unclear('A graphics state has a font');
    scope.state?.setLines(linesOf(pdf, state));
    scope.state?.setOverprint(overprintOf(pdf, state));
    if (scope.isKnockout) checkOpaque(pdf, state);
    const mask = dictAt(pdf, state, 'SMask');
    if (mask !== undefined) this.form(maskGroup(pdf, mask, this.#spaces), scope);
    if (this.#seen.has(state)) return;
    this.#seen.add(state);
    if (['TR', 'TR2'].some((key) => changes(resolve(pdf, state.get(key))))) this.printsOtherwise = true;
    checkTransparency(pdf, state);
    checkLines(pdf, state);
  }

  #pattern(pattern: PdfObject, scope: Scope): PatternUse {
    if (!(pattern instanceof PdfDict)) throw new Unclear('A pattern is missing');
    const { isColoured, space } = this.#paints.pattern(pattern);
    const print = space ? printOfDots(space) : 'cell';
    if (!(pattern instanceof PdfStream)) return { isColoured, print, takes: new Set() };
    // Some readers lend it those around it.
    if (!pattern.has('Resources')) throw new Unclear('A pattern has no resources');
    const { resources, depth } = scope;
    const state = new State(scaled([1, 1], numbersAt(this.#pdf, pattern, 'Matrix') ?? []));
    const inside = { resources, depth, isUncoloured: !isColoured, isCell: true, state };
    const takes = this.#ownTaken(pattern, { ...inside, colours: Colours.ofCell() });
    this.#hasOpenText ||= state.isTextAsItBegan;
    this.#checkOpenText();
    return { isColoured, print, takes: isColoured ? takes : new Set() };
  }

  /** @returns the sides that are painted in a colour from around */
  #ownTaken(stream: PdfStream, scope: Opened): ReadonlySet<'fill' | 'stroke'> {
    this.#own(stream, scope);
    const taken = new Set([...(this.#taken.get(stream) ?? []), ...scope.colours.taken]);
    this.#taken.set(stream, taken);
    return taken;
  }

  /** Mupdf draws the text of patterns in the way of the text around it. */
  #checkOpenText(): void {
    if (this.#setsText && this.#hasOpenText)
      throw new Unclear('A pattern does not tell in which way its text is drawn');
  }

  #inherited(lineage: readonly PdfDict[], key: string): PdfObject | undefined {
    const holder = lineage.find((dict) => dict.has(key));
    const value = resolve(this.#pdf, holder?.get(key));
    if (holder !== undefined && value === undefined) throw new Unclear(`/${key} of a page is missing`);
    return value;
  }
}

/** @throws {Unclear} in a pattern that has no colours of its own */
function checkOneColour({ isUncoloured }: Scope): void {
  if (isUncoloured) throw new Unclear('A pattern of one colour has others');
}
