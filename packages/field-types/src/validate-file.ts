import type { FieldCheck, FieldInput, FieldLane, FieldTypeEntry } from '@symbolon/protocol';
import { type DataUri, parseDataUri, startsWith } from './data-uri.ts';
import { type EnvelopeShape, envelopeShape, type MemberKind, pageLabels, pageShape } from './envelope.ts';
import { membersOf, parseIfText, plaintextOf, pointerSegment } from './json.ts';
import { accept, type Outcome, type Refused, refuse, within } from './result.ts';
import { checkText, isEmpty } from './text.ts';
import { validateEntries } from './validate-composite.ts';
import { patternMismatch } from './validate-text.ts';

export interface FileRule {
  readonly input: FieldInput;
  readonly lane: FieldLane;
  readonly check: FieldCheck | null;
  readonly fields: readonly FieldTypeEntry[];
  readonly validations: readonly string[];
}

type Members = { [key: string]: unknown };

/**
 * The envelope of a photo, a file or an ID document, or its JSON text: its own members, each file in it as a
 * base64 data URI, and the entries of the type beside them (wire 2.4). The normal form is the envelope with
 * its entries in theirs, without the empty ones.
 */
export function validateFile(rule: FileRule, value: unknown): Outcome<Members> {
  const members = membersOf(parseIfText(value));
  if (members === undefined) return refuse('object_expected', 'The value is the envelope of a file.');
  const shape = envelopeShape(rule.input, rule.lane);
  const { own, rest } = split(members, shape);
  const refused = checkMembers(shape, own, rule.check);
  if (refused !== undefined) return refused;
  const mismatch =
    rule.validations.length > 0 ? patternMismatch(rule.validations, plaintextOf(value)) : undefined;
  if (mismatch !== undefined) return mismatch;
  const entries = validateEntries(rule.fields, rest);
  if (!entries.valid) return entries;
  return accept({ ...Object.fromEntries(own), ...entries.normalized });
}

/** Whether an envelope has metadata alone: valid, but no answer that can be stored. */
export function lacksFile(rule: Pick<FileRule, 'input' | 'lane'>, value: unknown): boolean {
  const members = membersOf(parseIfText(value));
  const shape = envelopeShape(rule.input, rule.lane);
  return ['file', 'full'].some((name) => shape.has(name) && isEmpty(members?.get(name)));
}

/** Entries never have the name of an envelope member, so each member belongs to one of the two. */
function split(members: ReadonlyMap<string, unknown>, shape: EnvelopeShape) {
  const own = new Map<string, unknown>();
  const rest = new Map<string, unknown>();
  for (const [key, value] of members) (shape.has(key) ? own : rest).set(key, value);
  return { own, rest };
}

function checkMembers(
  shape: EnvelopeShape,
  members: ReadonlyMap<string, unknown>,
  check: FieldCheck | null,
): Refused | undefined {
  for (const [key, { kind, required }] of shape) {
    const value = members.get(key);
    if (isEmpty(value)) {
      if (required) return within(key, refuse('member_missing', 'The envelope lacks this member.'));
      continue;
    }
    const refused = checkMember(kind, value, check);
    if (refused !== undefined) return within(key, refused);
  }
  return undefined;
}

function checkMember(kind: MemberKind, value: unknown, check: FieldCheck | null): Refused | undefined {
  switch (kind) {
    case 'file':
      return checkFile(value, check);
    case 'text': {
      const text = checkText(value);
      return text.valid ? undefined : text;
    }
    case 'size':
      return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
        ? undefined
        : refuse('member_invalid', 'A size is a count of bytes.');
    case 'side':
      return typeof value === 'string' && pageLabels.includes(value)
        ? undefined
        : refuse('member_invalid', `The label of a page is one of ${pageLabels.join(', ')}.`);
    case 'pages':
      return checkPages(value, check);
  }
}

function checkFile(value: unknown, check: FieldCheck | null): Refused | undefined {
  const file = typeof value === 'string' ? parseDataUri(value) : undefined;
  if (file === undefined) return refuse('data_uri_invalid', 'A file is a base64 data URI.');
  if (check === 'pdf' && !isPdf(file)) return refuse('pdf_expected', 'The file is no PDF.');
  return undefined;
}

/** Declared a PDF, and beginning like one (ISO 32000-2, 7.5.2). */
function isPdf(file: DataUri): boolean {
  return file.mimeType === 'application/pdf' && startsWith(file, '%PDF-');
}

function checkPages(value: unknown, check: FieldCheck | null): Refused | undefined {
  if (!Array.isArray(value)) return refuse('array_expected', 'The pages are an array.');
  if (value.length === 0) return refuse('member_missing', 'There is at least one page.');
  for (const [index, item] of value.entries()) {
    const page = membersOf(item);
    const refused =
      page === undefined ? refuse('object_expected', 'A page is an object.') : checkPage(page, check);
    if (refused !== undefined) return within(index, refused);
  }
  return undefined;
}

function checkPage(page: ReadonlyMap<string, unknown>, check: FieldCheck | null): Refused | undefined {
  for (const key of page.keys()) {
    if (pageShape.has(key)) continue;
    const unknown = refuse('member_unknown', 'A page has no such member.');
    const segment = pointerSegment(key);
    return segment === undefined ? unknown : within(segment, unknown);
  }
  return checkMembers(pageShape, page, check);
}
