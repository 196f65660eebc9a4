import { type PDF, PdfArray, PdfDict, type PdfObject } from '@libpdf/core';
import { PdfError } from '../errors.ts';
import { checkExpansion } from './bounds.ts';
import { annotationsOf, type Field, fieldsOf, isWidget } from './fields.ts';
import { inflateAnywhere } from './inflate-anywhere.ts';
import { load } from './load.ts';
import { dictAt, dictsAt, listAt, nameAt } from './objects.ts';
import { type Page, readPageTree, resolve } from './page-tree.ts';
import { speaksOfEncryption } from './repair.ts';
import { type Drawn, readDrawn } from './strict/index.ts';
import { checkedAround } from './structure.ts';

/**
 * What a file holds beside its pages, and a party should know of:
 * - `layers`: parts of the pages that a reader can show and hide
 * - `scripts`: JavaScript, which a reader may run
 * - `launch`, `submit`: actions that open something outside of the file, or send what stands in its fields
 * - `form_fields`: fields that can be filled in
 * - `attachments`: files in the file
 * - `media`: films, sound and models, which play or move
 * - `changes`: actions that show or hide parts of the pages
 * - `screen_only`: annotations that are shown on screen and not printed
 * - `print_effects`: transfer functions, which printers and screens treat in different ways
 */
export type PdfWarning =
  | 'layers'
  | 'scripts'
  | 'launch'
  | 'submit'
  | 'form_fields'
  | 'attachments'
  | 'media'
  | 'changes'
  | 'screen_only'
  | 'print_effects';

/** Entries of an outline, and actions that follow one another: a file with more is refused, since what comes behind is not seen. */
const MOST_ENTRIES = 100_000;
const MOST_ACTIONS = 1000;
const READ_ONLY = 1;
const PUSH_BUTTON = 1 << 16;

interface Parts {
  readonly pages: readonly Page[];
  readonly annotations: readonly PdfDict[];
  readonly fields: readonly Field[];
}

/**
 * The same of a file that was not opened, for those who read it. Works in browsers too: call it where a file that takes too long to read
 * does no harm. Sealing compares what a second reader sees beside.
 * @throws {PdfError} damaged, xfa, layers, ambiguous and others for a file that is not to be signed: people would see different things
 */
export async function readWarnings(file: Uint8Array): Promise<PdfWarning[]> {
  checkExpansion(file);
  const loaded = await load(file);
  const { pdf, sections, text } = loaded;
  if (pdf.isEncrypted && !pdf.isAuthenticated) throw new PdfError('password_needed');
  if (!sections && speaksOfEncryption(text)) throw new PdfError('damaged');
  const pages = readPageTree(pdf);
  return checkedAround(loaded, pages, () => {
    checkSameForAll(pdf);
    return warningsOf(pdf, partsOf(pdf, pages.all), readDrawn(pdf, pages.all, inflateAnywhere));
  });
}

/** @throws {PdfError} xfa, layers for a file that shows one thing on screen and another one in print, or changes by itself */
export function checkSameForAll(pdf: PDF): void {
  if (dictAt(pdf, pdf.getCatalog(), 'AcroForm')?.has('XFA')) throw new PdfError('xfa');
  if (layersChangeByUse(pdf) || opensOtherwise(pdf)) throw new PdfError('layers');
}

export function partsOf(pdf: PDF, pages: readonly Page[]): Parts {
  const annotations = annotationsOf(pdf, pages);
  const widgets = annotations.filter((annotation) => isWidget(pdf, annotation));
  const fields = fieldsOf(pdf, dictAt(pdf, pdf.getCatalog(), 'AcroForm'), widgets);
  return { pages, annotations, fields };
}

export function warningsOf(
  pdf: PDF,
  { pages, annotations, fields }: Parts,
  drawn: Drawn | undefined,
): PdfWarning[] {
  const catalog = pdf.getCatalog();
  const found = new Set<PdfWarning>();
  const names = dictAt(pdf, catalog, 'Names');
  if (listAt(pdf, dictAt(pdf, catalog, 'OCProperties'), 'OCGs').length > 0) found.add('layers');
  if (names?.has('JavaScript')) found.add('scripts');
  if (names?.has('EmbeddedFiles') || catalog.has('AF')) found.add('attachments');
  if (annotations.some((one) => nameAt(pdf, one, 'Subtype') === 'FileAttachment')) found.add('attachments');
  if (annotations.some((one) => MEDIA.has(nameAt(pdf, one, 'Subtype') ?? ''))) found.add('media');
  if (fields.some(isFillable)) found.add('form_fields');
  if (drawn?.screenOnly) found.add('screen_only');
  if (drawn?.printsOtherwise) found.add('print_effects');
  look(pdf, catalog.get('OpenAction'), found);
  const holders = [
    catalog,
    ...pages.map(({ dict }) => dict),
    ...annotations,
    ...fields.map(({ dict }) => dict),
  ];
  for (const holder of [...holders, ...outlineOf(pdf)]) {
    look(pdf, holder.get('A'), found);
    const more = dictAt(pdf, holder, 'AA');
    if (more) for (const [, action] of more) look(pdf, action, found);
  }
  return [...found].sort();
}

function isFillable({ type, flags }: Field): boolean {
  if ((flags & READ_ONLY) !== 0) return false;
  return type === 'Tx' || type === 'Ch' || (type === 'Btn' && (flags & PUSH_BUTTON) === 0);
}

const ACTIONS: Readonly<Record<string, PdfWarning>> = {
  JavaScript: 'scripts',
  Launch: 'launch',
  SubmitForm: 'submit',
  ImportData: 'submit',
  ...{ GoToR: 'launch', GoToE: 'launch' },
  ...{ Hide: 'changes', SetOCGState: 'changes', ResetForm: 'changes' },
  ...{ Movie: 'media', Sound: 'media', Rendition: 'media', RichMediaExecute: 'media', GoTo3DView: 'media' },
};
const MEDIA: ReadonlySet<string> = new Set(['3D', 'Movie', 'RichMedia', 'Screen', 'Sound']);

function look(pdf: PDF, first: PdfObject | undefined, found: Set<PdfWarning>): void {
  const waiting = [first];
  for (let step = 0; waiting.length > 0; step++) {
    if (step === MOST_ACTIONS) throw new PdfError('damaged', { cause: new Error('Too many actions follow') });
    const action = resolve(pdf, waiting.shift());
    if (action instanceof PdfArray) waiting.push(...action.toArray());
    if (!(action instanceof PdfDict)) continue;
    const warning = ACTIONS[nameAt(pdf, action, 'S') ?? ''];
    if (warning) found.add(warning);
    if (action.has('JS')) found.add('scripts');
    waiting.push(action.get('Next'));
  }
}

function outlineOf(pdf: PDF): PdfDict[] {
  const found = new Set<PdfDict>();
  const waiting = [dictAt(pdf, pdf.getCatalog(), 'Outlines')];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (next === undefined || found.has(next)) continue;
    if (found.size === MOST_ENTRIES)
      throw new PdfError('damaged', { cause: new Error('The outline is too long') });
    found.add(next);
    waiting.push(dictAt(pdf, next, 'Next'), dictAt(pdf, next, 'First'));
  }
  return [...found];
}

/**
 * Whether the file opens with something else than its own pages: as a collection of other files, or after an action that shows or hides
 * parts of them.
 */
function opensOtherwise(pdf: PDF): boolean {
  const catalog = pdf.getCatalog();
  const found = new Set<PdfWarning>();
  look(pdf, catalog.get('OpenAction'), found);
  return catalog.has('Collection') || found.has('changes');
}

/**
 * Whether a layer is shown on screen and left out in print, the other way round, or by magnification, language or person. A
 * layer says so by its usage; readers differ in whether the configuration must name that usage too.
 */
function layersChangeByUse(pdf: PDF): boolean {
  const properties = dictAt(pdf, pdf.getCatalog(), 'OCProperties');
  const config = dictAt(pdf, properties, 'D');
  const isBaseOff = nameAt(pdf, config, 'BaseState') === 'OFF';
  const on = new Set(dictsAt(pdf, config, 'ON'));
  const off = new Set(dictsAt(pdf, config, 'OFF'));
  return dictsAt(pdf, properties, 'OCGs').some((group) => {
    const usage = dictAt(pdf, group, 'Usage');
    if (!usage) return false;
    if (['Zoom', 'Language', 'User'].some((key) => usage.has(key) && isNamed(pdf, config, group)))
      return true;
    const isShown = isBaseOff ? on.has(group) : !off.has(group);
    return ['View', 'Print', 'Export'].some((use) => {
      const state = nameAt(pdf, dictAt(pdf, usage, use), `${use}State`);
      return state !== undefined && (state === 'ON') !== isShown;
    });
  });
}

function isNamed(pdf: PDF, config: PdfDict | undefined, group: PdfDict): boolean {
  return dictsAt(pdf, config, 'AS').some((application) => dictsAt(pdf, application, 'OCGs').includes(group));
}
