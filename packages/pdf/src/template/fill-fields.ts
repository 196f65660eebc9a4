import { type PDF, PdfBool, PdfName, PdfNumber, PdfString } from '@libpdf/core';
import { cleanText } from '../text/clean.ts';
import { FontUses } from '../text/embed.ts';
import type { Fonts } from '../text/fonts.ts';
import type { TooWide } from './analysis.ts';
import { FieldPainter } from './field-appearance.ts';
import { TAG } from './find-tags.ts';
import { type FormField, inheritedOf, MULTI_LINE, statesOf } from './form-fields.ts';
import { dictOf } from './streams.ts';

/** Characters of a field with several lines. */
const LONGEST = 20_000;
const READ_ONLY = 1;

/**
 * Fills the fields that have the name of a value, or hold tags, and makes them read-only.
 * @returns those whose value does not fit
 */
export async function fillFields(
  pdf: PDF,
  fields: readonly FormField[],
  values: Readonly<Record<string, string>>,
  fonts: Fonts,
): Promise<TooWide[]> {
  const filled = fields.flatMap((field) => {
    const value = valueFor(pdf, field, values);
    return value === undefined ? [] : [{ field, value }];
  });
  const texts = filled.map(({ value }) => ({ text: value, weight: 400 as const }));
  const uses = new FontUses('Sym');
  const painter = new FieldPainter(pdf, await fonts.load(texts), uses);
  const over: TooWide[] = [];
  for (const { field, value } of filled) {
    const { described, dict, flags } = field;
    if (described.type === 'checkbox' || described.type === 'radio') setButton(pdf, field, value);
    else {
      dict.set('V', PdfString.fromString(value));
      dict.delete('RV'); // the same value with formats
      const fits = field.widgets.map((widget) => painter.paint(field, widget, value));
      if (fits.includes(false)) over.push({ key: described.name, page: described.page ?? 1 });
    }
    dict.set('Ff', PdfNumber.of(flags | READ_ONLY));
  }
  painter.finish();
  // Readers would draw the fields again, each in its own way.
  if (filled.length > 0)
    dictOf(pdf, pdf.getCatalog().get('AcroForm'))?.set('NeedAppearances', PdfBool.of(false));
  return over;
}

/** The value of its name, or what it holds with values in place of tags; undefined when it stays as it is. */
function valueFor(pdf: PDF, field: FormField, values: Readonly<Record<string, string>>): string | undefined {
  const find = (key: string) => (Object.hasOwn(values, key) ? values[key] : undefined);
  const own = find(field.described.name.toLowerCase()) ?? tagged(pdf, field, find);
  if (own === undefined) return undefined;
  if ((field.flags & MULTI_LINE) === 0) return cleanText(own, LONGEST);
  return own
    .split(/\r\n?|\n/)
    .map((line) => cleanText(line, LONGEST))
    .join('\n');
}

function tagged(pdf: PDF, field: FormField, find: (key: string) => string | undefined): string | undefined {
  const held = inheritedOf(pdf, field.lineage.slice(0, -1), 'V');
  if (!(held instanceof PdfString) || (field.described.type !== 'text' && field.described.type !== 'choice'))
    return undefined;
  const text = held.asString();
  const filled = text.replaceAll(TAG, (_, key: string) => find(key.toLowerCase()) ?? '');
  return filled === text ? undefined : filled;
}

/** Turns on the button that stands for the value. A value that none stands for changes nothing. */
function setButton(pdf: PDF, { described, dict, widgets }: FormField, value: string): void {
  const states = described.options ?? [];
  const agreed = value === 'true' && described.type === 'checkbox' ? states[0] : undefined;
  const state = value === '' || value === 'false' ? 'Off' : (states.find((name) => name === value) ?? agreed);
  if (state === undefined) return;
  dict.set('V', PdfName.of(state));
  for (const widget of widgets) {
    widget.dict.set('AS', PdfName.of(statesOf(pdf, widget).includes(state) ? state : 'Off'));
  }
}
