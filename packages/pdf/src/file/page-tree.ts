import { type PDF, PdfArray, PdfDict, PdfNumber, type PdfObject, PdfRef, PdfStream } from '@libpdf/core';
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
  readonly all: readonly Page[];
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
 * Finds the pages. A tree that readers may walk in different ways is refused: each node must count the pages under it and
 * be the parent of what it lists, and each page must be an object of its own that stands in the tree once.
 * @throws {PdfError} no_pages, too_many_pages, damaged
 */
export function readPageTree(pdf: PDF): PageTree {
  const { root, rootRef, pages } = walk(pdf);
  const [first] = pages;
  const last = pages.at(-1);
  if (!first || !last) throw new PdfError('no_pages');
  return { root, rootRef, count: pages.length, all: pages, first, last };
}

/** All pages in their order. @throws {PdfError} no_pages, too_many_pages, damaged */
export function pagesOf(pdf: PDF): Page[] {
  return walk(pdf).pages;
}

interface Node {
  readonly ref: PdfRef;
  readonly dict: PdfDict;
  readonly lineage: readonly PdfDict[];
  /** Pages found before this node, and how many nodes are left to walk when all under it are. */
  readonly before: number;
  readonly rest: number;
}

function walk(pdf: PDF): { root: PdfDict; rootRef: PdfRef; pages: Page[] } {
  const rootRef = pdf.getCatalog().getRef('Pages');
  const root = rootRef && pdf.getObject(rootRef);
  if (!rootRef || !(root instanceof PdfDict)) throw new PdfError('no_pages');
  // Some readers inherit from there.
  if (root.has('Parent')) throw new PdfError('damaged');
  const pages: Page[] = [];
  const seen = new Set<number>([rootRef.objectNumber]);
  const waiting: { ref: PdfRef; parent: number; lineage: readonly PdfDict[] }[] = [];
  const open: Node[] = [];
  const enter = (ref: PdfRef, dict: PdfDict, above: readonly PdfDict[]) => {
    const lineage = [dict, ...above];
    if (lineage.length > DEEPEST) throw new PdfError('damaged');
    open.push({ ref, dict, lineage, before: pages.length, rest: waiting.length });
    for (const kid of kidsOf(pdf, dict).reverse())
      waiting.push({ ref: kid, parent: ref.objectNumber, lineage });
  };
  const leave = () => {
    for (let node = open.at(-1); node && node.rest === waiting.length; node = open.at(-1)) {
      if (countOf(pdf, node.dict) !== pages.length - node.before) throw new PdfError('damaged');
      open.pop();
    }
  };
  enter(rootRef, root, []);
  leave();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { ref, parent, lineage } = next;
    const dict = seen.has(ref.objectNumber) ? undefined : pdf.getObject(ref);
    seen.add(ref.objectNumber);
    if (!(dict instanceof PdfDict) || dict instanceof PdfStream) throw new PdfError('damaged');
    // Some readers inherit along the parents, others along the way from the root.
    if (dict.getRef('Parent')?.objectNumber !== parent) throw new PdfError('damaged');
    if (isNode(pdf, dict)) enter(ref, dict, lineage);
    else pages.push({ ref, dict, lineage: [dict, ...lineage] });
    if (pages.length > MOST_PAGES) throw new PdfError('too_many_pages');
    leave();
  }
  return { root, rootRef, pages };
}

/** Some readers go by the type, others by the list of kids: both must say the same. */
function isNode(pdf: PDF, dict: PdfDict): boolean {
  const type = resolve(pdf, dict.get('Type'));
  const has = dict.has('Kids');
  if (type !== undefined && (type.type !== 'name' || type.value !== (has ? 'Pages' : 'Page')))
    throw new PdfError('damaged');
  return has;
}

function countOf(pdf: PDF, dict: PdfDict): number | undefined {
  return number(resolve(pdf, dict.get('Count')));
}

function kidsOf(pdf: PDF, dict: PdfDict): PdfRef[] {
  const kids = resolve(pdf, dict.get('Kids'));
  if (!(kids instanceof PdfArray)) throw new PdfError('no_pages');
  return kids.toArray().map((kid) => {
    if (!(kid instanceof PdfRef)) throw new PdfError('damaged');
    return kid;
  });
}

/**
 * Puts pages at the end. Only the root and its list are rewritten: the library's way writes every page.
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
/** A5: on less, a page of signatures has a few words. */
const SMALLEST = { short: 419.53, long: 595.28 };
const LARGEST = 14_400;

/**
 * The size for pages of signatures: the one at which a reader shows this page, as far as it can be read. The library's own gives the
 * upper corner of the box instead.
 */
export function sizeBeside(pdf: PDF, { lineage }: Page): PageSize {
  const media = box(pdf, inherited(pdf, lineage, 'MediaBox'));
  if (!media) return A4;
  const crop = box(pdf, inherited(pdf, lineage, 'CropBox')) ?? media;
  const unit = number(resolve(pdf, lineage[0]?.get('UserUnit'))) ?? 1;
  const width = (Math.min(media[2], crop[2]) - Math.max(media[0], crop[0])) * unit;
  const height = (Math.min(media[3], crop[3]) - Math.max(media[1], crop[1])) * unit;
  if (!(width > 0 && height > 0)) return A4;
  const turned = ((number(inherited(pdf, lineage, 'Rotate')) ?? 0) / 90) % 2 !== 0;
  const lies = width > height !== turned;
  const [across, down] = turned ? [height, width] : [width, height];
  return {
    width: bounded(across, lies ? SMALLEST.long : SMALLEST.short),
    height: bounded(down, lies ? SMALLEST.short : SMALLEST.long),
  };
}

function bounded(side: number, least: number): number {
  return Math.min(Math.max(side, least), LARGEST);
}

/** What a page or the nearest node above it says, null being nothing. */
export function inherited(pdf: PDF, lineage: readonly PdfDict[], key: string): PdfObject | undefined {
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
