import type { FieldInput, FieldLane } from '@symbolon/protocol';

/** What a member of an envelope holds. */
export type MemberKind = 'file' | 'text' | 'size' | 'side' | 'pages';

/** The members of one object of an envelope, by name. */
export type EnvelopeShape = ReadonlyMap<string, { readonly kind: MemberKind; readonly required: boolean }>;

/** The members of the envelope itself, beside the entries of its type. */
export function envelopeShape(input: FieldInput, lane: FieldLane): EnvelopeShape {
  if (input === 'pages') return pagesEnvelope;
  return lane === 'photo' ? photoEnvelope : fileEnvelope;
}

const required = (kind: MemberKind) => ({ kind, required: true });
const optional = (kind: MemberKind) => ({ kind, required: false });

// Metadata alone is an envelope too: clients hold one before its file is there.
const photoEnvelope: EnvelopeShape = new Map([
  ['full', optional('file')],
  ['thumb', optional('file')],
]);

const fileEnvelope: EnvelopeShape = new Map([
  ['file', optional('file')],
  ['original_name', optional('text')],
  ['mime_type', optional('text')],
  ['size', optional('size')],
  ['name', optional('text')],
]);

const pagesEnvelope: EnvelopeShape = new Map([['pages', required('pages')]]);

/** The members of one page of a `pages` envelope. */
export const pageShape: EnvelopeShape = new Map([
  ['label', required('side')],
  ['file', required('file')],
  ['original_name', required('text')],
  ['mime_type', required('text')],
  ['size', required('size')],
]);

/** The labels of a page. */
export const pageLabels: readonly string[] = ['front', 'back', 'additional'];

/** Every name some envelope uses; no entry of a file type may have one of them as its key. */
export const envelopeMembers: ReadonlySet<string> = new Set([
  ...photoEnvelope.keys(),
  ...fileEnvelope.keys(),
  ...pagesEnvelope.keys(),
  ...pageShape.keys(),
]);
