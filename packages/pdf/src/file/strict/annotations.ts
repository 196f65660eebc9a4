import { type PDF, PdfArray, PdfDict, PdfName, PdfNumber, PdfStream, PdfString } from '@libpdf/core';
import { type Field, fieldsOf, isWidget } from '../fields.ts';
import { dictAt, dictsAt, isTrue, listAt, nameAt, numberAt, numbersAt } from '../objects.ts';
import { type Box, box, inherited, type Page, resolve } from '../page-tree.ts';
import { Unclear } from '../raw/tokens.ts';
import { hidesLayers } from './layers.ts';
import type { DrawnContent } from './page-content.ts';

/** Flags of annotations (ISO 32000-2, 12.5.3). */
const [INVISIBLE, HIDDEN, PRINT, NO_ROTATE, NO_VIEW] = [1, 1 << 1, 1 << 2, 1 << 4, 1 << 5];
const MOST_FLAGS = 2 ** 31;
/** Of a link, in points. */
const WIDEST_BORDER = 3;
const USUAL_BORDER = 1;
/** Of a link with a border: its shorter side in widths of the line. */
const ROOM_IN_FRAME = 3;
/** Links that begin within another one, as those in two lines of a text that touch. */
const MOST_STACKED = 3;
const MOST_FRAMES = 2000;
/** Of a part of a colour: what is lighter in all of them is not seen on white. */
const LIGHT = 0.9;
/** How far a mark may reach out of its place, in points. */
const MOST_BESIDE = 10;
const MULTIPLE_BUTTONS = 1 << 16;
const COMBO_BOX = 1 << 17;
/** Kinds whose appearance some readers do not draw: it may have nothing in it. */
const DRAWN_BY_SOME = new Set(['Link', 'Movie', 'Popup', 'Sound']);
/** Kinds for which each reader has a sign of its own, where they have no appearance. */
const OF_SIGNS = new Set(['FileAttachment', 'Movie', 'Sound', 'Text']);
/** Of an attached file, in points. */
const LARGEST_ICON = 40;
/** Fields times what may lie over them, on one page. */
const MOST_COMPARED = 1_000_000;

/** Drawn by readers themselves, each with an icon or a frame of its own, and nothing of the contract stands in them. */
const DRAWN_BY_READERS = new Set(
  '3D FileAttachment Link Movie Popup PrinterMark Projection RichMedia Screen Sound Text TrapNet'.split(' '),
);
/** Text and shapes, which look as their appearance says. */
const DRAWN_AS_WRITTEN = new Set(
  'Caret Circle FreeText Highlight Ink Line PolyLine Polygon Redact Square Squiggly Stamp StrikeOut Underline Watermark Widget'.split(
    ' ',
  ),
);

/** What is shown on screen alone, or in print alone. */
export type ShownWhere = 'everywhere' | 'screen' | 'print';

/**
 * Reads the annotations of all pages. Each must have an appearance that leaves nothing to the reader.
 * @param willBeFilled whether the fields get appearances of their own before the file is shown to anybody
 * @returns where those are shown that are not shown everywhere
 * @throws {Unclear}
 */
export function readAnnotations(
  pdf: PDF,
  pages: readonly Page[],
  drawn: DrawnContent,
  willBeFilled: boolean,
): Set<ShownWhere> {
  const form = dictAt(pdf, pdf.getCatalog(), 'AcroForm');
  const places = new Set<ShownWhere>();
  const widgets: PdfDict[] = [];
  for (const page of pages) {
    checkList(pdf, page);
    const frames: Frame[] = [];
    const fields: Box[] = [];
    const others: Box[] = [];
    for (const annotation of dictsAt(pdf, page.dict, 'Annots')) {
      const place = placeOf(pdf, annotation);
      if (place === undefined) continue;
      if (nameAt(pdf, annotation, 'Subtype') === 'Link') frames.push(frameOf(pdf, annotation));
      const isDrawn = readAppearance(pdf, annotation, drawn);
      if (dictAt(pdf, annotation, 'AP')?.has('N')) checkIsDrawn(pdf, annotation, page);
      if (isDrawn) places.add(annotation.has('FixedPrint') ? 'print' : place);
      if (isWidget(pdf, annotation)) widgets.push(annotation);
      const rect = rectOf(pdf, annotation) ?? NOWHERE;
      const isField = nameAt(pdf, annotation, 'Subtype') === 'Widget';
      if (!isField && isSeen(pdf, annotation, isDrawn)) checkOver(rect, fields, others);
      if (isField && isDrawn && !isEmpty(pdf, annotation, drawn)) fields.push(rect);
    }
    checkFrames(frames);
  }
  if (willBeFilled) return places;
  const fields = new Map(fieldsOf(pdf, form, widgets).map((field) => [field.dict, field]));
  const isRegenerated = isTrue(resolve(pdf, form?.get('NeedAppearances')));
  for (const widget of widgets) {
    const field = fields.get(widget);
    if (field !== undefined) checkField(pdf, field, isRegenerated);
  }
  return places;
}

/** Some readers look for annotations in the nodes above a page, too, and take one for a list of one. @throws {Unclear} */
function checkList(pdf: PDF, { dict, lineage: [, ...above] }: Page): void {
  if (dict.has('Annots') && !(resolve(pdf, dict.get('Annots')) instanceof PdfArray))
    throw new Unclear('The annotations of a page are no list');
  if (above.some((node) => node.has('Annots'))) throw new Unclear('Annotations stand above their page');
}

/** @returns undefined for what no reader shows */
function placeOf(pdf: PDF, annotation: PdfDict): ShownWhere | undefined {
  const flags = flagsOf(pdf, annotation);
  if ((flags & HIDDEN) !== 0) return undefined;
  const rect = rectOf(pdf, annotation);
  if (rect === undefined) throw new Unclear('An annotation has no place');
  if (rect[2] - rect[0] <= 0 || rect[3] - rect[1] <= 0) return undefined;
  const isPrinted = (flags & PRINT) !== 0;
  if ((flags & NO_VIEW) !== 0) return isPrinted ? 'print' : undefined;
  return isPrinted ? 'everywhere' : 'screen';
}

/** @throws {Unclear} */
function flagsOf(pdf: PDF, annotation: PdfDict): number {
  const flags = numberAt(pdf, annotation, 'F') ?? 0;
  if (Math.abs(flags) >= MOST_FLAGS) throw new Unclear('The flags of an annotation are too many');
  return flags;
}

/** What has an appearance must be drawn by all readers, at the same place. @throws {Unclear} */
function checkIsDrawn(pdf: PDF, annotation: PdfDict, { lineage }: Page): void {
  const subtype = nameAt(pdf, annotation, 'Subtype') ?? '';
  const [left, bottom, right, top] = rectOf(pdf, annotation) ?? NOWHERE;
  if (subtype === 'FileAttachment' && Math.max(right - left, top - bottom) > LARGEST_ICON)
    throw new Unclear('The sign of an attached file is more than an icon');
  if (!DRAWN_AS_WRITTEN.has(subtype)) return;
  if (annotation.has('OC') && hidesLayers(pdf))
    throw new Unclear('An annotation is in a layer, and some are hidden');
  const flags = flagsOf(pdf, annotation);
  if ((flags & INVISIBLE) !== 0) throw new Unclear('An annotation is shown only where its kind is known');
  const turn = inherited(pdf, lineage, 'Rotate');
  if ((flags & NO_ROTATE) !== 0 && turn instanceof PdfNumber && turn.value % 360 !== 0)
    throw new Unclear('An annotation does not turn with its page');
  const form = normalOf(pdf, annotation);
  const area = form instanceof PdfStream ? box(pdf, resolve(pdf, form.get('BBox'))) : undefined;
  if (area && (area[2] === area[0] || area[3] === area[1])) throw new Unclear('An appearance has no area');
}

const NOWHERE: Box = [0, 0, 0, 0];

const rectOf = (pdf: PDF, annotation: PdfDict) => box(pdf, resolve(pdf, annotation.get('Rect')));

/** How it looks while nobody points at it: what is drawn, or that by its state. */
const normalOf = (pdf: PDF, annotation: PdfDict) => resolve(pdf, dictAt(pdf, annotation, 'AP')?.get('N'));

/** Whether a field that has an appearance shows nothing. */
function isEmpty(pdf: PDF, annotation: PdfDict, drawn: DrawnContent): boolean {
  const normal = normalOf(pdf, annotation);
  return normal instanceof PdfStream && drawn.isEmpty(normal);
}

/** Whether an annotation that is no field may hide something. */
const isSeen = (pdf: PDF, annotation: PdfDict, isDrawn: boolean): boolean =>
  isDrawn || !['Link', 'Popup'].includes(nameAt(pdf, annotation, 'Subtype') ?? '');

/**
 * Some readers draw fields after all other annotations, others in the order of the list.
 * @param fields that stand before it in the list
 * @throws {Unclear} where it lies over one of them
 */
function checkOver(rect: Box, fields: readonly Box[], others: Box[]): void {
  others.push(rect);
  if (fields.length * others.length > MOST_COMPARED)
    throw new Unclear('A page has more annotations than are compared');
  const [left, bottom, right, top] = rect;
  if (fields.some((each) => each[0] < right && left < each[2] && each[1] < top && bottom < each[3]))
    throw new Unclear('An annotation lies over a field');
}

/** The frame around a link, which some readers draw and others not. */
interface Frame {
  readonly box: Box;
  /** Of its line; 0 where it has none. */
  readonly width: number;
}

/** Of the border of an annotation, where it tells one. */
function widthOf(pdf: PDF, annotation: PdfDict): number {
  const border = listAt(pdf, annotation, 'Border')[2];
  return Math.max(
    numberAt(pdf, dictAt(pdf, annotation, 'BS'), 'W') ?? 0,
    border?.type === 'number' ? border.value : 0,
  );
}

/** @throws {Unclear} for a wide line, which would cover what stands beside it */
function frameOf(pdf: PDF, link: PdfDict): Frame {
  const width = widthOf(pdf, link);
  if (width > WIDEST_BORDER) throw new Unclear('A link has a border that covers text');
  const colour = numbersAt(pdf, link, 'C') ?? [];
  if (width > USUAL_BORDER && colour.length > 0 && colour.length < 4 && colour.every((part) => part > LIGHT))
    throw new Unclear('A link has a border that covers text and is not seen itself');
  const isGiven = !link.has('Border') && !link.has('BS');
  return { box: rectOf(pdf, link) ?? NOWHERE, width: isGiven ? USUAL_BORDER : width };
}

/**
 * Frames that are little more than their lines, or stand in a stack, would cover what is below them.
 * @param frames of one page
 * @throws {Unclear}
 */
function checkFrames(frames: readonly Frame[]): void {
  const seen = frames.filter(({ width }) => width > 0).toSorted((one, other) => one.box[1] - other.box[1]);
  if (seen.length > MOST_FRAMES) throw new Unclear('A page has more links with a border than are looked at');
  for (const [
    index,
    {
      box: [left, bottom, right, top],
      width,
    },
  ] of seen.entries()) {
    if (Math.min(right - left, top - bottom) < ROOM_IN_FRAME * width)
      throw new Unclear('A link is little more than its border');
    let stacked = 0;
    for (let next = index + 1; (seen[next]?.box[1] ?? top) < top; next++) {
      const [itsLeft = 0, itsBottom = 0, itsRight = 0, itsTop = 0] = seen[next]?.box ?? [];
      const across = Math.min(right, itsRight) - Math.max(left, itsLeft);
      const up = Math.min(top, itsTop) - itsBottom;
      if (across > 0 && up > width && itsBottom - bottom > 0 && ++stacked > MOST_STACKED)
        throw new Unclear('Links with a border stand in a stack');
    }
  }
}

/** @returns whether it has an appearance @throws {Unclear} */
function readAppearance(pdf: PDF, annotation: PdfDict, drawn: DrawnContent): boolean {
  const subtype = nameAt(pdf, annotation, 'Subtype') ?? '';
  const isWritten = DRAWN_AS_WRITTEN.has(subtype);
  const normal = normalOf(pdf, annotation);
  if (normal === undefined && dictAt(pdf, annotation, 'AP')?.has('N'))
    throw new Unclear('An appearance is missing');
  if (normal !== undefined && !isWritten && !DRAWN_BY_READERS.has(subtype))
    throw new Unclear(`An annotation has the kind ${subtype}`);
  if (normal instanceof PdfStream) {
    if (DRAWN_BY_SOME.has(subtype) && !drawn.isEmpty(normal))
      throw new Unclear(`An annotation of the kind ${subtype} has an appearance`);
    drawn.form(normal, { resources: new PdfDict(), depth: 0 });
    return subtype !== 'Popup' && subtype !== 'Link';
  }
  if (normal instanceof PdfDict) {
    const state = nameAt(pdf, annotation, 'AS');
    for (const [, appearance] of normal) {
      const stream = resolve(pdf, appearance);
      if (stream instanceof PdfStream) drawn.form(stream, { resources: new PdfDict(), depth: 0 });
    }
    const isShown = resolve(pdf, normal.get(state ?? '')) instanceof PdfStream;
    // A box that is not ticked may have no look; others would get one from the reader.
    if (state === undefined || (!isShown && (state !== 'Off' || subtype !== 'Widget')))
      throw new Unclear('The state of an appearance is not clear');
    return isShown;
  }
  const isOwed = OF_SIGNS.has(subtype) || (subtype !== 'Widget' && isWritten);
  if (isOwed && !isLightMark(pdf, annotation, subtype))
    throw new Unclear(`An annotation of the kind ${subtype} has no appearance`);
  return false;
}

/** Marks that all readers draw themselves, in their place, and that hide nothing. */
function isLightMark(pdf: PDF, annotation: PdfDict, subtype: string): boolean {
  const [left, bottom, right, top] = rectOf(pdf, annotation) ?? NOWHERE;
  const isInside = numbersAt(pdf, annotation, 'QuadPoints')?.every((at, index) =>
    index % 2 === 0
      ? at >= left - MOST_BESIDE && at <= right + MOST_BESIDE
      : at >= bottom - MOST_BESIDE && at <= top + MOST_BESIDE,
  );
  if (isInside === false) return false;
  if (subtype === 'Underline' || subtype === 'Squiggly') return true;
  const colour = listAt(pdf, annotation, 'C').map((part) => (part.type === 'number' ? part.value : 0));
  return subtype === 'Highlight' && colour.length === 3 && Math.max(...colour) >= 0.75;
}

/** What a field holds must be what it shows: readers may draw either. */
function checkField(pdf: PDF, { dict, type, flags, value }: Field, isRegenerated: boolean): void {
  const normal = normalOf(pdf, dict);
  if (type === 'Btn' && (flags & MULTIPLE_BUTTONS) === 0) {
    const state = nameAt(pdf, dict, 'AS');
    const chosen = value instanceof PdfName ? value.value : 'Off';
    const isOff = state === undefined || state === 'Off';
    const couldBeOn = chosen !== 'Off' && normal instanceof PdfDict && normal.has(chosen);
    if (isOff ? couldBeOn : state !== chosen)
      throw new Unclear('A box is ticked in one way and shown in another');
    if (!isOff && normal === undefined) throw new Unclear('A box is ticked and has no appearance');
    return;
  }
  const look = dictAt(pdf, dict, 'MK');
  const isList = type === 'Ch' && (flags & COMBO_BOX) === 0 && listAt(pdf, dict, 'Opt').length > 0;
  const ground = numbersAt(pdf, look, 'BG') ?? [];
  const hasLook =
    (ground.length > 0 && (ground.length === 4 || ground.some((part) => part <= LIGHT))) ||
    ((numbersAt(pdf, look, 'BC') ?? []).length > 0 && widthOf(pdf, dict) > USUAL_BORDER) ||
    look?.has('CA') === true;
  if (normal === undefined && (isList || hasLook)) throw new Unclear('A field has no appearance, and a look');
  if (isRegenerated && type === 'Btn' && look?.has('CA'))
    throw new Unclear('A button has words, and readers draw it themselves');
  const isFilled =
    (type === 'Tx' || type === 'Ch') &&
    value !== undefined &&
    !(value instanceof PdfString && value.asString() === '');
  if (isFilled && (isRegenerated || !(normal instanceof PdfStream)))
    throw new Unclear('A field is filled in, and readers draw it themselves');
}
