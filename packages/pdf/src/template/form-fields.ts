import { type PDF, PdfArray, PdfDict, PdfName, PdfNumber, type PdfObject, PdfString } from '@libpdf/core';
import { type Box, box, type Page, resolve } from '../file/page-tree.ts';
import type { TemplateField } from './analysis.ts';
import { dictOf } from './streams.ts';

/** A field that can be filled. */
export interface FormField {
  readonly described: TemplateField;
  readonly dict: PdfDict;
  /** From the field up to the form: attributes are inherited in this order. */
  readonly lineage: readonly PdfDict[];
  readonly widgets: readonly Widget[];
  readonly flags: number;
}

export interface Widget {
  readonly dict: PdfDict;
  readonly page: number | null;
  readonly box: Box;
}

/** Fields in fields, and fields at all: more is no form that is filled. */
const [DEEPEST, MOST] = [32, 5000];
export const [MULTI_LINE, COMB] = [1 << 12, 1 << 24];
const [RADIO, PUSH_BUTTON, PASSWORD] = [1 << 15, 1 << 16, 1 << 13];

export function readFields(pdf: PDF, pages: readonly Page[]): FormField[] {
  const form = dictOf(pdf, pdf.getCatalog().get('AcroForm'));
  if (!form) return [];
  const pageOf = new Map<PdfDict, number>();
  for (const [index, { dict }] of pages.entries()) {
    for (const annotation of dictsIn(pdf, dict.get('Annots'))) pageOf.set(annotation, index);
  }
  const fields: FormField[] = [];
  const seen = new Set<PdfDict>();
  const visit = (dict: PdfDict, above: readonly PdfDict[], name: string) => {
    if (seen.has(dict) || above.length > DEEPEST || fields.length >= MOST) return;
    seen.add(dict);
    const own = resolve(pdf, dict.get('T'));
    const full = own instanceof PdfString ? [name, own.asString()].filter(Boolean).join('.') : name;
    const kids = dictsIn(pdf, dict.get('Kids'));
    const lineage = [dict, ...above];
    const inner = kids.filter((kid) => kid.has('T'));
    for (const kid of inner) visit(kid, lineage, full);
    if (inner.length > 0) return;
    const boxes = kids.length > 0 ? kids : [dict];
    const widgets = boxes.map((each) => widgetOf(pdf, each, pageOf.get(each) ?? null));
    const field = fieldOf(pdf, full, lineage, widgets);
    if (field) fields.push(field);
  };
  for (const field of dictsIn(pdf, form.get('Fields'))) visit(field, [form], '');
  return fields;
}

/** An attribute of the field or of one above it; the form's own come last. */
export function inheritedOf(pdf: PDF, lineage: readonly PdfDict[], key: string): PdfObject | undefined {
  for (const dict of lineage) {
    const value = resolve(pdf, dict.get(key));
    if (value) return value;
  }
  return undefined;
}

/** The names of the states of a button that is on. */
export function statesOf(pdf: PDF, { dict }: Widget): string[] {
  const normal = dictOf(pdf, dictOf(pdf, dict.get('AP'))?.get('N'));
  return normal ? [...normal.keys()].map(({ value }) => value).filter((name) => name !== 'Off') : [];
}

function fieldOf(
  pdf: PDF,
  name: string,
  lineage: readonly PdfDict[],
  widgets: readonly Widget[],
): FormField | undefined {
  const kind = inheritedOf(pdf, lineage, 'FT');
  const flag = inheritedOf(pdf, lineage, 'Ff');
  const flags = flag instanceof PdfNumber ? flag.value : 0;
  const type = kind instanceof PdfName ? typeOf(kind.value, flags) : undefined;
  const [dict] = lineage;
  if (!type || !name || !dict) return undefined;
  const [first] = widgets;
  const [left, bottom, right, top] = first?.box ?? [0, 0, 0, 0];
  const options = optionsOf(pdf, type, lineage, widgets);
  const described: TemplateField = {
    ...{ name, type, page: first?.page == null ? null : first.page + 1 },
    ...{ width: right - left, height: top - bottom },
    ...(options && { options }),
  };
  return { described, dict, lineage, widgets, flags };
}

function typeOf(kind: string, flags: number): TemplateField['type'] | undefined {
  if (kind === 'Tx') return (flags & PASSWORD) === 0 ? 'text' : undefined;
  if (kind === 'Ch') return 'choice';
  if (kind !== 'Btn' || (flags & PUSH_BUTTON) !== 0) return undefined;
  return (flags & RADIO) === 0 ? 'checkbox' : 'radio';
}

function optionsOf(
  pdf: PDF,
  type: TemplateField['type'],
  lineage: readonly PdfDict[],
  widgets: readonly Widget[],
): string[] | undefined {
  if (type === 'text') return undefined;
  if (type !== 'choice') return [...new Set(widgets.flatMap((widget) => statesOf(pdf, widget)))];
  const options = inheritedOf(pdf, lineage, 'Opt');
  if (!(options instanceof PdfArray)) return [];
  return options.toArray().flatMap((each) => {
    const option = resolve(pdf, each);
    const shown = option instanceof PdfArray ? resolve(pdf, option.at(1)) : option;
    return shown instanceof PdfString ? [shown.asString()] : [];
  });
}

function widgetOf(pdf: PDF, dict: PdfDict, page: number | null): Widget {
  return { dict, page, box: box(pdf, resolve(pdf, dict.get('Rect'))) ?? [0, 0, 0, 0] };
}

function dictsIn(pdf: PDF, value: Parameters<typeof resolve>[1]): PdfDict[] {
  const list = resolve(pdf, value);
  if (!(list instanceof PdfArray)) return [];
  return list.toArray().flatMap((each) => {
    const dict = resolve(pdf, each);
    return dict instanceof PdfDict ? [dict] : [];
  });
}
