import { type PDF, PdfArray, PdfDict, PdfNumber, type PdfObject, PdfRef } from '@libpdf/core';
import { PdfError } from '../errors.ts';

/** More pages than any contract has; each costs memory. */
const MOST_PAGES = 20_000;
/** Nodes of the tree between root and page; files nest two or three. */
const DEEPEST = 64;

export interface PageTree {
  /** The root of the tree, to which pages are appended. */
  readonly root: PdfDict;
  readonly rootRef: PdfRef;
  readonly count: number;
  readonly first: Page;
  readonly last: Page;
}

export interface Page {
  readonly ref: PdfRef;
  readonly dict: PdfDict;
  /** From the page up to the root: attributes are inherited in this order. */
  readonly lineage: readonly PdfDict[];
}

/**
 * Finds the pages. The library's own tree overlooks `Kids` behind a reference.
 * @throws {PdfError} no_pages, too_many_pages
 */
export function readPageTree(pdf: PDF): PageTree {
  const rootRef = pdf.getCatalog().getRef('Pages');
  const root = rootRef && pdf.getObject(rootRef);
  if (!rootRef || !(root instanceof PdfDict)) throw new PdfError('no_pages');
  let count = 0;
  let first: Page | undefined;
  let last: Page | undefined;
  for (const page of pagesUnder(pdf, rootRef, root)) {
    count++;
    if (count > MOST_PAGES) throw new PdfError('too_many_pages');
    first ??= page;
    last = page;
  }
  if (!first || !last) throw new PdfError('no_pages');
  return { root, rootRef, count, first, last };
}

/** All pages in their order. @throws {PdfError} no_pages, too_many_pages */
export function pagesOf(pdf: PDF): Page[] {
  const { root, rootRef } = readPageTree(pdf);
  return [...pagesUnder(pdf, rootRef, root)];
}

function* pagesUnder(pdf: PDF, rootRef: PdfRef, root: PdfDict): Generator<Page> {
  const seen = new Set([rootRef.toString()]);
  const waiting: { ref: PdfRef; lineage: readonly PdfDict[] }[] = [];
  const enqueue = (dict: PdfDict, above: readonly PdfDict[]) => {
    const lineage = [dict, ...above];
    for (const ref of kidsOf(pdf, dict).reverse()) waiting.push({ ref, lineage });
  };
  enqueue(root, []);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { ref, lineage } = next;
    const name = ref.toString(); // references to one object are not always one value
    const dict = seen.has(name) ? undefined : pdf.getObject(ref);
    seen.add(name);
    if (!(dict instanceof PdfDict)) continue;
    if (dict.has('Kids')) {
      if (lineage.length < DEEPEST) enqueue(dict, lineage);
    } else yield { ref, dict, lineage: [dict, ...lineage] };
  }
}

function kidsOf(pdf: PDF, dict: PdfDict): PdfRef[] {
  const kids = resolve(pdf, dict.get('Kids'));
  return kids instanceof PdfArray ? kids.toArray().filter((kid) => kid instanceof PdfRef) : [];
}

/**
 * Puts pages at the end. Only the root and its list are written anew: the library's way writes every page.
 * @returns references to the new pages
 */
export function appendPages(
  pdf: PDF,
  tree: Pick<PageTree, 'root' | 'rootRef' | 'count'>,
  pages: readonly PdfDict[],
): PdfRef[] {
  const refs = pages.map((page) => {
    page.set('Parent', tree.rootRef);
    return pdf.context.register(page);
  });
  const kids = resolve(pdf, tree.root.get('Kids'));
  if (!(kids instanceof PdfArray)) throw new PdfError('no_pages');
  tree.root.set('Kids', new PdfArray([...kids.toArray(), ...refs]));
  tree.root.set('Count', PdfNumber.of(tree.count + refs.length));
  return refs;
}

export interface PageSize {
  /** Points. */
  readonly width: number;
  readonly height: number;
}

const A4: PageSize = { width: 595.28, height: 841.89 };
const SMALLEST = 72;
const LARGEST = 14_400;

/** The size at which a reader shows the page. The library's own gives the upper corner of the box instead. */
export function shownSize(pdf: PDF, { lineage }: Page): PageSize {
  const media = box(pdf, inherited(pdf, lineage, 'MediaBox'));
  if (!media) return A4;
  const crop = box(pdf, inherited(pdf, lineage, 'CropBox')) ?? media;
  const unit = number(resolve(pdf, lineage[0]?.get('UserUnit'))) ?? 1;
  const width = (Math.min(media[2], crop[2]) - Math.max(media[0], crop[0])) * unit;
  const height = (Math.min(media[3], crop[3]) - Math.max(media[1], crop[1])) * unit;
  if (!(width > 0 && height > 0)) return A4;
  const turned = ((number(inherited(pdf, lineage, 'Rotate')) ?? 0) / 90) % 2 !== 0;
  const [across, down] = [width, height].map((side) => Math.min(Math.max(side, SMALLEST), LARGEST)) as [
    number,
    number,
  ];
  return turned ? { width: down, height: across } : { width: across, height: down };
}

function inherited(pdf: PDF, lineage: readonly PdfDict[], key: string): PdfObject | undefined {
  for (const dict of lineage) {
    const value = resolve(pdf, dict.get(key));
    if (value) return value;
  }
  return undefined;
}

/** Left, bottom, right, top of what a reader shows of the page, in the page's own coordinates. */
export function shownBox(pdf: PDF, { lineage }: Page): Box {
  const media = box(pdf, inherited(pdf, lineage, 'MediaBox')) ?? [0, 0, A4.width, A4.height];
  const crop = box(pdf, inherited(pdf, lineage, 'CropBox')) ?? media;
  return [
    Math.max(media[0], crop[0]),
    Math.max(media[1], crop[1]),
    Math.min(media[2], crop[2]),
    Math.min(media[3], crop[3]),
  ];
}

/** Left, bottom, right, top. */
export type Box = readonly [number, number, number, number];

/** A box may name any two opposite corners. */
export function box(pdf: PDF, value: PdfObject | undefined): Box | undefined {
  if (!(value instanceof PdfArray) || value.length !== 4) return undefined;
  const [x1, y1, x2, y2] = value.toArray().map((side) => number(resolve(pdf, side)));
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) return undefined;
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
}

function number(value: PdfObject | undefined): number | undefined {
  return value instanceof PdfNumber && Number.isFinite(value.value) ? value.value : undefined;
}

/** Follows references, a few steps: files can make circles of them. */
export function resolve(pdf: PDF, value: PdfObject | undefined): PdfObject | undefined {
  let found = value;
  for (let step = 0; found instanceof PdfRef && step < 8; step++) found = pdf.getObject(found) ?? undefined;
  return found instanceof PdfRef ? undefined : found;
}
