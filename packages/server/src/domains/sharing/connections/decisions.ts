import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { CustomerDecision, CustomerType, Decision } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { parseSealed } from '../../../core/sealed-value.ts';
import { anotherFile, fileText, type StoredFile } from '../../../core/stored-file.ts';
import { type Flag, flag } from '../../../db/tables.ts';
import type { NamedField } from '../../people/index.ts';
import { slotAttestation, stands } from '../../people/index.ts';
import type { RequestFieldRow } from '../../services/index.ts';

/** A decision whose value has the form in which it is stored. What a company typed is a live answer without a field. */
export type Decided =
  | { readonly rowId: string; readonly kind: 'remove' }
  | {
      readonly rowId: string;
      readonly kind: 'live' | 'one_time';
      readonly fieldId: string | undefined;
      /** Undefined where a file is named: an upload, or the file of the field. */
      readonly value: string | undefined;
      readonly uploadId?: string | undefined;
    };

/** What a decision puts into a slot. */
export interface Answer {
  readonly row: RequestFieldRow;
  readonly fieldId: string | null;
  readonly live: Flag;
  readonly value: string;
  readonly private: Flag;
  readonly verification: string | null;
  /** Of a person's live answer: the version of the field that the value is of. */
  readonly fieldVersion?: number;
  /** The id of the slot in the person's home region, when that is another region. */
  readonly registration?: string;
}

/** Whether a row is asked of customers of a kind. */
export const isAskedOf = (customer: CustomerType, row: Pick<RequestFieldRow, 'audience'>): boolean =>
  row.audience === 'both' || row.audience === customer;

/** Whether an answer follows its source: no answer to a one-time row does, also before a worker has stored that. */
export const liveOf = (row: Pick<RequestFieldRow, 'one_time'>, slot: { readonly live: Flag }): Flag =>
  row.one_time === 1 ? 0 : slot.live;

type MandatoryFlags = Pick<RequestFieldRow, 'audience' | 'mandatory_provide' | 'mandatory_connected'>;

/** Whether connecting, or providing what the row was asked with, needs an answer to the row. */
export const isMandatoryFor = (customer: CustomerType, row: MandatoryFlags): boolean =>
  isAskedOf(customer, row) && (row.mandatory_provide === 1 || row.mandatory_connected === 1);

/** Whether an answer to the row, once given, stays as long as the connection does. */
export const staysFor = (customer: CustomerType, row: MandatoryFlags): boolean =>
  isAskedOf(customer, row) && row.mandatory_connected === 1;

/**
 * Reads decisions and checks what needs no database: every value must be sealed.
 * @throws {PlatformError} contact_data.encryption_required, contact_data.wrapper_invalid, contact_data.decision_invalid
 */
export function readDecisions(decisions: readonly (Decision | CustomerDecision)[]): Decided[] {
  return decisions.map((decision) => {
    const { request_field_id: rowId, kind, value } = decision;
    const fieldId = 'field_id' in decision ? decision.field_id : undefined;
    const uploadId = 'upload_id' in decision ? decision.upload_id : undefined;
    if (kind !== 'remove') {
      const answered = { rowId, kind: kind === 'typed' ? ('live' as const) : kind, fieldId, uploadId };
      const namesFile = value === undefined && (fieldId !== undefined || uploadId !== undefined);
      return { ...answered, value: namesFile ? undefined : parseSealed(value) };
    }
    if (fieldId !== undefined || uploadId !== undefined || value !== undefined) {
      throw invalid('A decision that removes an answer takes no field, no upload and no value.');
    }
    return { rowId, kind };
  });
}

/** The uploads that decisions name. */
export function uploadsIn(decisions: Iterable<Decided>): string[] {
  return [...decisions].flatMap((decision) =>
    decision.kind === 'remove' || decision.uploadId === undefined ? [] : [decision.uploadId],
  );
}

/**
 * Finds the row of each decision.
 * @param rows the rows that may be decided on
 * @throws {PlatformError} contact_data.decision_invalid for an unknown or repeated row
 */
export function pairRows<D extends { rowId: string }>(
  rows: readonly RequestFieldRow[],
  decisions: readonly D[],
): Map<RequestFieldRow, D> {
  const known = new Map(rows.map((row) => [row.id, row]));
  const paired = new Map<RequestFieldRow, D>();
  for (const decision of decisions) {
    const row = known.get(decision.rowId);
    if (row === undefined || paired.has(row)) throw invalid();
    paired.set(row, decision);
  }
  return paired;
}

/** @throws {PlatformError} contact_data.mandatory_missing with the slugs of the rows in `missing` */
export function refuseMissing(
  customer: CustomerType,
  rows: readonly RequestFieldRow[],
  decided: ReadonlyMap<RequestFieldRow, unknown>,
): void {
  const missing = rows
    .filter((row) => isMandatoryFor(customer, row) && !decided.has(row))
    .map((row) => row.slug);
  if (missing.length > 0) throw new PlatformError('contact_data.mandatory_missing', { details: { missing } });
}

/**
 * Checks a decision against its row and the field it names.
 * @param context.fields the person's own fields by id; a company's answers follow none
 * @throws {PlatformError} contact_data.files_unsupported, contact_data.not_found, contact_data.type_mismatch,
 *   contact_data.upload_not_found, contact_data.file_required, contact_data.one_time_only, contact_data.mandatory, contact_data.verification_required,
 *   contact_data.decision_invalid
 */
export function answerOf(
  row: RequestFieldRow,
  decision: Decided,
  context: {
    customer: CustomerType;
    fields: ReadonlyMap<string, NamedField>;
    registry: FieldTypeRegistry;
    now: number;
    files?: NamedFiles;
  },
): Answer {
  const person = context.customer === 'person';
  if (decision.kind === 'remove') throw invalid('An answer is removed by changing the mappings.');
  // A file row takes a file, never an inline value.
  const isFile = context.registry.isBinary(row.type);
  if (isFile && (decision.value !== undefined || context.files === undefined))
    throw new PlatformError('contact_data.files_unsupported');
  if (!isFile && decision.value === undefined) throw new PlatformError('contact_data.encryption_required');
  // Clients of companies type every answer, whatever the row asks.
  const live = decision.kind === 'live' && (person || row.one_time === 0);
  if (person && live && decision.fieldId === undefined) {
    throw invalid('A live answer names the field it follows.');
  }
  const field = decision.fieldId === undefined ? undefined : context.fields.get(decision.fieldId);
  if (decision.fieldId !== undefined && field === undefined) {
    throw new PlatformError('contact_data.not_found');
  }
  if (field !== undefined && !context.registry.accepts(row.type, field.type)) {
    throw new PlatformError('contact_data.type_mismatch');
  }
  if (live && row.one_time === 1) throw new PlatformError('contact_data.one_time_only');
  if (!live && row.mandatory_connected === 1) {
    const text = `This row takes a ${person ? 'live' : 'typed'} answer.`;
    throw new PlatformError('contact_data.mandatory', { status: 422, text });
  }
  const verification = field?.verification ?? null;
  if (row.verified === 1 && !stands(row, verification, context.now)) {
    throw new PlatformError('contact_data.verification_required');
  }
  return {
    row,
    fieldId: field?.id ?? null,
    live: flag(live),
    value: decision.value ?? fileText(fileOf(decision, field, context.files)),
    private: field?.private ?? 0,
    verification: slotAttestation(row, verification),
  };
}

/** The files that decisions may name. */
export interface NamedFiles {
  /** Sealed for the service, by their upload. */
  readonly uploads: ReadonlyMap<string, StoredFile>;
  /** Of the person's fields, by the field. */
  readonly ofFields: ReadonlyMap<string, StoredFile>;
  newId(): string;
}

/** @throws {PlatformError} contact_data.upload_not_found, contact_data.file_required */
function fileOf(
  { uploadId }: { readonly uploadId?: string | undefined },
  field: NamedField | undefined,
  files: NamedFiles | undefined,
): StoredFile {
  if (uploadId !== undefined) {
    const upload = files?.uploads.get(uploadId);
    if (upload === undefined) throw new PlatformError('contact_data.upload_not_found');
    return upload;
  }
  const own = field && files?.ofFields.get(field.id);
  // What is sealed to the person opens with no key of a service.
  if (files === undefined || own === undefined || own.form === 'sealed')
    throw new PlatformError('contact_data.file_required');
  return anotherFile(own, files.newId());
}

function invalid(text?: string): PlatformError {
  return new PlatformError('contact_data.decision_invalid', text === undefined ? {} : { text });
}
